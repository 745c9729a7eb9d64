"""Checks objects of Kubernetes, and prints their kinds, or what is wrong: validate.py JAR-OF-FLINK'S-OPERATOR FILE..."""

import sys
import zipfile

import jsonschema
import kubernetes_validate
import yaml


def closed(schema):
    """The schema without room for fields that it does not name."""
    if isinstance(schema, list):
        return [closed(s) for s in schema]
    if not isinstance(schema, dict):
        return schema
    schema = {k: closed(v) for k, v in schema.items()}
    if schema.get("type") == "object" and "properties" in schema:
        schema.setdefault("additionalProperties", False)
    return schema


def operator(jar):
    """The schemas of the operator's kinds."""
    kinds = {}
    with zipfile.ZipFile(jar) as z:
        for name in z.namelist():
            if name.startswith("META-INF/fabric8/flink") and name.endswith("-v1.yml"):
                spec = yaml.load(z.read(name), getattr(yaml, "CSafeLoader", yaml.SafeLoader))["spec"]
                for v in spec["versions"]:
                    key = (spec["group"] + "/" + v["name"], spec["names"]["kind"])
                    schema = closed(v["schema"]["openAPIV3Schema"])
                    # Fields that all objects have, and the server knows without a schema.
                    for field in ("apiVersion", "kind", "metadata"):
                        schema["properties"].setdefault(field, {})
                    kinds[key] = schema
    return kinds


kinds = operator(sys.argv[1])
for file in sys.argv[2:]:
    for o in yaml.safe_load_all(open(file)):
        try:
            if schema := kinds.get((o["apiVersion"], o["kind"])):
                jsonschema.validate(o, schema)
            else:
                kubernetes_validate.validate(o, "1.37", strict=True)
            print(o["kind"])
        except Exception as e:  # each library has its own
            print(o["kind"], "is wrong:", str(e).splitlines()[0])
