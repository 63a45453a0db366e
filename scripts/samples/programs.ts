// What is not a call, and differs in each language: the beginning of a program, and the check of a webhook's signature.
import type { Language } from './calls.ts'

export const begins: Readonly<Record<Language, string>> = {
  sh: `eval "$(./vintem env)"     # sets API and KEY`,
  ts: `const api = process.env.API ?? 'http://127.0.0.1:4000'
const key = process.env.KEY ?? ''

async function call(method: string, path: string, body?: object): Promise<any> {
  const headers = { apikey: key, 'content-type': 'application/json' }
  const answer = await fetch(api + path, { method, headers, body: body && JSON.stringify(body) })
  const json = await answer.json()
  if (!answer.ok) throw new Error(\`\${json.code}: \${json.detail}\`)
  return json
}`,
  python: `import json, os, time, urllib.error, urllib.request

api = os.environ.get("API", "http://127.0.0.1:4000")
key = os.environ["KEY"]


def call(method, path, body=None):
    headers = {"apikey": key, "content-type": "application/json"}
    data = None if body is None else json.dumps(body).encode()
    try:
        with urllib.request.urlopen(urllib.request.Request(api + path, data, headers, method=method)) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as error:
        problem = json.load(error)
        raise RuntimeError(f"{problem['code']}: {problem.get('detail')}") from None`,
  php: `<?php
$api = getenv('API') ?: 'http://127.0.0.1:4000';
$key = getenv('KEY');

function call(string $method, string $path, ?array $body = null): array
{
    global $api, $key;
    $curl = curl_init($api . $path);
    curl_setopt_array($curl, [
        CURLOPT_CUSTOMREQUEST => $method,
        CURLOPT_HTTPHEADER => ["apikey: $key", 'content-type: application/json'],
        CURLOPT_RETURNTRANSFER => true,
    ]);
    if ($body !== null) {
        curl_setopt($curl, CURLOPT_POSTFIELDS, json_encode($body));
    }
    $answer = curl_exec($curl);
    if ($answer === false) {
        throw new RuntimeException(curl_error($curl));
    }
    $record = json_decode($answer, true);
    if (curl_getinfo($curl, CURLINFO_RESPONSE_CODE) >= 400) {
        throw new RuntimeException("{$record['code']}: " . ($record['detail'] ?? ''));
    }
    return $record;
}`,
}

export const verifies: Readonly<Record<Language, string>> = {
  sh: `# is_genuine <webhook-id> <webhook-timestamp> <webhook-signature> <file with the raw body>
is_genuine() {
  local age secret expected
  age=$(($(date +%s) - $2))
  [ "$age" -le 300 ] && [ "$age" -ge -300 ] || return 1
  secret=$(printf %s "\${WEBHOOK_SECRET#whsec_}" | base64 -d | od -An -v -tx1 | tr -d ' \\n')
  expected=$({ printf '%s.%s.' "$1" "$2"; cat "$4"; } | openssl dgst -sha256 -mac HMAC -macopt "hexkey:$secret" -binary | base64)
  case " $3 " in *" v1,$expected "*) return 0 ;; *) return 1 ;; esac
}`,
  ts: `import { createHmac, timingSafeEqual } from 'node:crypto'

function isGenuine(body: string, headers: Record<string, string>): boolean {
  const { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': signatures = '' } = headers
  if (!(Math.abs(Date.now() / 1000 - Number(time)) <= 300)) return false
  const secret = Buffer.from((process.env.WEBHOOK_SECRET ?? '').replace('whsec_', ''), 'base64')
  const expected = Buffer.from(\`v1,\${createHmac('sha256', secret).update(\`\${id}.\${time}.\${body}\`).digest('base64')}\`)
  return signatures
    .split(' ')
    .map((each) => Buffer.from(each))
    .some((each) => each.length === expected.length && timingSafeEqual(each, expected))
}`,
  python: `import base64, hashlib, hmac, os, time


def is_genuine(body: bytes, headers) -> bool:
    stamp = headers.get("webhook-timestamp", "")
    if not stamp.isdecimal() or abs(time.time() - int(stamp)) > 300:
        return False
    secret = base64.b64decode(os.environ["WEBHOOK_SECRET"].removeprefix("whsec_"))
    signed = f"{headers.get('webhook-id', '')}.{stamp}.".encode() + body
    expected = b"v1," + base64.b64encode(hmac.digest(secret, signed, hashlib.sha256))
    signatures = headers.get("webhook-signature", "").encode().split(b" ")
    return any(hmac.compare_digest(each, expected) for each in signatures)`,
  php: `function isGenuine(string $body, array $headers): bool
{
    $id = $headers['webhook-id'] ?? '';
    $time = $headers['webhook-timestamp'] ?? '';
    if (!ctype_digit($time) || abs(time() - (int) $time) > 300) {
        return false;
    }
    $secret = base64_decode(substr(getenv('WEBHOOK_SECRET'), strlen('whsec_')));
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$time.$body", $secret, true));
    foreach (explode(' ', $headers['webhook-signature'] ?? '') as $each) {
        if (hash_equals($expected, $each)) {
            return true;
        }
    }
    return false;
}`,
}
