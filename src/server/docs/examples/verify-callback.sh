#!/usr/bin/env bash
# WEBHOOK_ID=… WEBHOOK_TIMESTAMP=… WEBHOOK_SIGNATURE=… SECRET=whsec_… bash verify-callback.sh < body
set -euo pipefail

key=$(printf %s "${SECRET#whsec_}" | openssl base64 -d -A | od -An -v -tx1 | tr -d ' \n')
# the bytes as they came, not parsed and written again
wanted=v1,$({ printf '%s.%s.' "$WEBHOOK_ID" "$WEBHOOK_TIMESTAMP"; cat; } |
  openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" -binary | openssl base64 -A)

age=$(($(date +%s) - WEBHOOK_TIMESTAMP))
verdict=forged
for signature in $WEBHOOK_SIGNATURE; do
  if [ "$signature" = "$wanted" ] && [ "${age#-}" -le 300 ]; then verdict=genuine; fi
done
echo "$verdict"
