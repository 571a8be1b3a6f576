# A receiver of webhooks and action calls that verifies their signatures (Standard Webhooks).
# Run it with: python3 receiver.py 9000 whsec_… (or whpk_…, the public key of action calls)
# Public keys need the package cryptography.
import base64
import hashlib
import hmac
import sys
import time
from http.server import BaseHTTPRequestHandler, HTTPServer

TOLERANCE_SECONDS = 300


def is_genuine(headers, body, key):
    """Returns whether a request comes from the owner of the key. `body` is bytes, as received."""
    message_id = headers.get("webhook-id", "")
    timestamp = headers.get("webhook-timestamp", "")
    if not timestamp.isdigit() or abs(time.time() - int(timestamp)) > TOLERANCE_SECONDS:
        return False
    text = f"{message_id}.{timestamp}.".encode() + body
    # After a rotation of the key there are two signatures.
    for signature in headers.get("webhook-signature", "").split(" "):
        version, _, value = signature.partition(",")
        if version == "v1" and key.startswith("whsec_"):
            secret = base64.b64decode(key.removeprefix("whsec_"))
            expected = base64.b64encode(hmac.digest(secret, text, hashlib.sha256))
            if hmac.compare_digest(value.encode(), expected):
                return True
        if version == "v1a" and key.startswith("whpk_") and is_signed(key, value, text):
            return True
    return False


def is_signed(key, signature, text):
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    public_key = Ed25519PublicKey.from_public_bytes(base64.b64decode(key.removeprefix("whpk_")))
    try:
        public_key.verify(base64.b64decode(signature), text)
        return True
    except (InvalidSignature, ValueError):
        return False


class Receiver(BaseHTTPRequestHandler):
    seen = set()

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        genuine = is_genuine(self.headers, body, sys.argv[2])
        # The same id can come again, after a retry or a redelivery.
        message_id = self.headers.get("webhook-id")
        if genuine and message_id not in self.seen:
            self.seen.add(message_id)
            print(message_id, body.decode(), flush=True)
        self.send_response(204 if genuine else 401)
        self.end_headers()

    def log_message(self, *_):
        pass


if __name__ == "__main__":
    server = HTTPServer(("127.0.0.1", int(sys.argv[1])), Receiver)
    print(f"listening on {server.server_port}", flush=True)
    server.serve_forever()
