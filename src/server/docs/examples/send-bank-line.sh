#!/usr/bin/env bash
# bash, openssl and curl: BASE_URL=… API_KEY=… SECRET=whsec_… bash send-bank-line.sh
set -euo pipefail

key=$(printf %s "${SECRET#whsec_}" | openssl base64 -d -A | od -An -v -tx1 | tr -d ' \n')
path=/service/payment/api/merchant/v1/bank-lines
timestamp=$(date +%s)
body='{"lines":[{
  "time": "2026-11-24T08:00:00Z",
  "direction": "credit",
  "amount": "120.00",
  "counterparty": "TAN WEI MING",
  "description": "DUITNOW ORDER-1001"
}]}'

signature=$(printf 'v2\n%s\nPOST\n%s\n\n%s' "$timestamp" "$path" "$body" |
  openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" | sed 's/^.* //')

curl -sS "$BASE_URL$path" \
  -H "x-api-key: $API_KEY" \
  -H "x-timestamp: $timestamp" \
  -H "x-signature: v2=$signature" \
  -H "content-type: application/json" \
  --data-binary "$body"
