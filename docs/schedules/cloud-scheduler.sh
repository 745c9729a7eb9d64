#!/usr/bin/env bash
# Makes a job of Cloud Scheduler that launches the Flex Template of ingest at each quarter of an hour. See
# docs/schedules.md; PROJECT, REGION, BUCKET and ACCOUNT are yours.
set -euo pipefail
: "${PROJECT:?}" "${REGION:?}" "${BUCKET:?}" "${ACCOUNT:?}"

body=$(mktemp)
trap 'rm -f "$body"' EXIT
cat >"$body" <<JSON
{
  "launchParameter": {
    "jobName": "gleaner-ingest",
    "containerSpecGcsPath": "gs://$BUCKET/templates/ingest.json",
    "parameters": {
      "input": "gs://$BUCKET/archives/",
      "output": "gs://$BUCKET/documents"
    },
    "environment": {"serviceAccountEmail": "$ACCOUNT"}
  }
}
JSON

gcloud scheduler jobs create http gleaner-ingest \
	--project="$PROJECT" --location="$REGION" --schedule='*/15 * * * *' --time-zone=Etc/UTC \
	--uri="https://dataflow.googleapis.com/v1b3/projects/$PROJECT/locations/$REGION/flexTemplates:launch" \
	--http-method=POST --headers=Content-Type=application/json --message-body-from-file="$body" \
	--oauth-service-account-email="$ACCOUNT"
