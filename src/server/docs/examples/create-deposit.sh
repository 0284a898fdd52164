#!/usr/bin/env bash
# bash, openssl and curl: BASE_URL=… API_KEY=… SECRET=whsec_… bash create-deposit.sh
set -euo pipefail

key=$(printf %s "${SECRET#whsec_}" | openssl base64 -d -A | od -An -v -tx1 | tr -d ' \n')
method=POST
path=/service/payment/api/merchant/v1/deposits
timestamp=$(date +%s)
idempotency_key=$(openssl rand -hex 16)
body=$(printf '{"merchant_txn_no":"ORDER-%s","amount":"120.00","currency":"%s","method":"bank_transfer","member":"customer-17","customer_name":"Tan Wei Ming"}' \
  "$idempotency_key" "${CURRENCY:-MYR}")

signature=$(printf 'v2\n%s\n%s\n%s\n%s\n%s' "$timestamp" "$method" "$path" "$idempotency_key" "$body" |
  openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" | sed 's/^.* //')

curl -sS -X "$method" "$BASE_URL$path" \
  -H "x-api-key: $API_KEY" \
  -H "x-timestamp: $timestamp" \
  -H "x-signature: v2=$signature" \
  -H "idempotency-key: $idempotency_key" \
  -H "content-type: application/json" \
  --data-binary "$body"
