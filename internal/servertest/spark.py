"""Runs SQL in Spark: spark.py JARS WAREHOUSE <statements, one a line. Prints the first value of each result, or "ok"."""

import sys

from pyspark.sql import SparkSession

jars, warehouse = sys.argv[1:]
spark = (
    SparkSession.builder.master("local[1]")
    .config("spark.jars", jars)
    .config("spark.sql.extensions", "org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions")
    .config("spark.sql.catalog.g", "org.apache.iceberg.spark.SparkCatalog")
    .config("spark.sql.catalog.g.type", "hadoop")
    .config("spark.sql.catalog.g.warehouse", warehouse)
    .config("spark.sql.warehouse.dir", warehouse + "/spark")
    .config("spark.driver.memory", "1200m")
    .config("spark.ui.enabled", "false")
    .config("spark.driver.bindAddress", "127.0.0.1")
    .config("spark.driver.host", "127.0.0.1")
    .config("spark.sql.session.timeZone", "UTC")
    .config("spark.sql.shuffle.partitions", "1")
    .getOrCreate()
)
spark.sparkContext.setLogLevel("ERROR")
for line in sys.stdin:
    rows = spark.sql(line.rstrip("\n")).collect()
    print("=", rows[0][0] if rows else "ok", flush=True)
spark.stop()
