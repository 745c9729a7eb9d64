"""An Airflow DAG that runs ingest at each quarter of an hour, by Beam's operator for Go pipelines.

Put this file into the folder of DAGs. It needs the packages apache-airflow-providers-apache-beam and
apache-airflow-providers-google, and the program at /usr/local/bin/ingest on the workers of Airflow.
"""

import os
from datetime import datetime, timedelta

from airflow import DAG
from airflow.providers.apache.beam.operators.beam import BeamRunGoPipelineOperator

PROGRAM = os.environ.get("GLEANER_INGEST", "/usr/local/bin/ingest")
ARCHIVES = os.environ.get("GLEANER_ARCHIVES", "/srv/archives")
OUTPUT = os.environ.get("GLEANER_OUTPUT", "/srv/documents/out")

with DAG(
    dag_id="gleaner_ingest",
    description="Make documents of new web archives",
    schedule=timedelta(minutes=15),
    start_date=datetime(2026, 1, 1),
    catchup=False,
    max_active_runs=1,  # the folder has a lock: a second run would end with code 1
) as dag:
    BeamRunGoPipelineOperator(
        task_id="ingest",
        runner="direct",
        launcher_binary=PROGRAM,
        worker_binary=PROGRAM,
        pipeline_options={"input": ARCHIVES, "output": OUTPUT, "damage": "warn"},
    )
