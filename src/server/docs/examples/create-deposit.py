# Python 3.8 or newer, no packages: BASE_URL=… API_KEY=… SECRET=whsec_… python3 create-deposit.py
import base64, hashlib, hmac, json, os, re, time, urllib.error, urllib.request, uuid

key = base64.b64decode(re.sub("^whsec_", "", os.environ["SECRET"]))


def call(method, path, body=None):
    text = b"" if body is None else json.dumps(body).encode()
    timestamp = "%.3f" % time.time()
    idempotency_key = "" if method == "GET" else str(uuid.uuid4())
    signed = "\n".join(["v2", timestamp, method, path, idempotency_key, ""]).encode() + text
    headers = {
        "x-api-key": os.environ["API_KEY"],
        "x-timestamp": timestamp,
        "x-signature": "v2=" + hmac.new(key, signed, hashlib.sha256).hexdigest(),
    }
    if idempotency_key:
        headers["idempotency-key"] = idempotency_key
    if text:
        headers["content-type"] = "application/json"
    request = urllib.request.Request(os.environ["BASE_URL"] + path, text or None, headers, method=method)
    try:
        with urllib.request.urlopen(request) as answer:
            return {"status": answer.status, **json.load(answer)}
    except urllib.error.HTTPError as refusal:
        return {"status": refusal.code, **json.load(refusal)}


print(json.dumps(call("POST", "/service/payment/api/merchant/v1/deposits", {
    "merchant_txn_no": "ORDER-%d" % time.time_ns(),
    "amount": "120.00",
    "currency": os.environ.get("CURRENCY", "MYR"),
    "method": "bank_transfer",
    "member": "customer-17",
    "customer_name": "Tan Wei Ming",
})))
