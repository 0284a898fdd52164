// The form of /docs: signs a request in the browser as the page says, sends it, and shows what went out and what came back.
const form = document.getElementById("try-form");
const output = document.getElementById("try-answer");
const { key: apiKey, secret } = form.dataset;

const hex = (bytes) => Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");
const utf8 = (text) => new TextEncoder().encode(text);

async function hmac(message) {
  const bytes = Uint8Array.from(atob(secret.replace(/^whsec_/, "")), (sign) => sign.charCodeAt(0));
  const key = await crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return hex(await crypto.subtle.sign("HMAC", key, utf8(message)));
}

const bodies = JSON.parse(form.dataset.bodies);
const field = (name) => form.elements.namedItem(name);

function choose() {
  const [method, path] = field("call").value.split(" ");
  field("path").value = path;
  field("body").value = bodies[field("call").value] ?? "";
  field("body").disabled = method === "GET";
}

async function send(event) {
  event.preventDefault();
  const [method] = field("call").value.split(" ");
  const path = field("path").value;
  const body = method === "GET" ? "" : field("body").value.replaceAll("{{number}}", String(Date.now()));
  const timestamp = (Date.now() / 1000).toFixed(3);
  const idempotencyKey = method === "GET" ? "" : crypto.randomUUID();
  const signature = `v2=${await hmac(["v2", timestamp, method, path, idempotencyKey, body].join("\n"))}`;
  const headers = {
    "x-api-key": apiKey,
    "x-timestamp": timestamp,
    "x-signature": signature,
    ...(idempotencyKey && { "idempotency-key": idempotencyKey }),
    ...(body && { "content-type": "application/json" }),
  };
  const sent = [`${method} ${path}`, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`), "", body].join("\n");
  output.textContent = `${sent}\n\n…`;
  const answer = await fetch(path, { method, headers, ...(body && { body }) });
  const limits = ["ratelimit-remaining", "ratelimit-reset"].map((name) => `${name}: ${answer.headers.get(name)}`).join("\n");
  const text = await answer.text();
  let shown = text;
  try {
    shown = JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    // shown as it came
  }
  output.textContent = `${sent}\n\n${answer.status}\n${limits}\n\n${shown}`;
}

field("call").addEventListener("change", choose);
form.addEventListener("submit", (event) => {
  send(event).catch((error) => (output.textContent = String(error)));
});
if (!globalThis.crypto?.subtle) {
  output.textContent = "This page must be opened over https or as localhost: only then can a browser sign.";
}
choose();
