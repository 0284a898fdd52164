# WEBHOOK_ID=… WEBHOOK_TIMESTAMP=… WEBHOOK_SIGNATURE=… SECRET=whsec_… python3 verify-callback.py < body
import base64, hashlib, hmac, os, re, sys, time

key = base64.b64decode(re.sub("^whsec_", "", os.environ["SECRET"]))


def is_genuine(id, timestamp, signatures, body):
    if abs(time.time() - int(timestamp)) > 300:
        return False
    wanted = base64.b64encode(hmac.new(key, ("%s.%s." % (id, timestamp)).encode() + body, hashlib.sha256).digest()).decode()
    return any(hmac.compare_digest(one, "v1," + wanted) for one in signatures.split(" "))


# the bytes as they came, not parsed and written again
environ = os.environ
genuine = is_genuine(environ["WEBHOOK_ID"], environ["WEBHOOK_TIMESTAMP"], environ["WEBHOOK_SIGNATURE"], sys.stdin.buffer.read())
print("genuine" if genuine else "forged")
