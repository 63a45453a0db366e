// The body of an uploaded file (RFC 7578), and where it goes.

/** Stripe takes files at a host of their own (https://docs.stripe.com/file-upload); any other address serves them beside the rest. */
export function filesUrl(apiUrl: string): string {
  return apiUrl === 'https://api.stripe.com' ? 'https://files.stripe.com' : apiUrl
}

/**
 * Builds the same body each time, because the provider refuses a key that comes again with another body. `key`: our id of the file,
 * letters, digits and `-`.
 */
export function uploadBody(
  { name, type, bytes }: { readonly name: string; readonly type: string; readonly bytes: Buffer },
  key: string,
): { readonly type: string; readonly body: Buffer } {
  const boundary = `vintem-${key}`
  const head = (disposition: string) => `--${boundary}\r\ncontent-disposition: form-data; ${disposition}\r\n`
  // A browser escapes these three characters in the same way (https://html.spec.whatwg.org/#multipart-form-data).
  const fileName = name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    body: Buffer.concat([
      Buffer.from(`${head('name="purpose"')}\r\ndispute_evidence\r\n`),
      Buffer.from(`${head(`name="file"; filename="${fileName}"`)}content-type: ${type}\r\n\r\n`),
      bytes,
      Buffer.from(`\r\n--${boundary}--\r\n`),
    ]),
  }
}
