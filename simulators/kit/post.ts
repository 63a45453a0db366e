// One call of a webhook.
const timeoutMs = 10_000

type WebhookCall = {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Cancels the call. */
  readonly signal: AbortSignal
}

/** Returns what went wrong: the fault that `faultOf` finds in the answer, or that there was none within ten seconds. */
export async function post(
  url: string,
  { headers, body, signal }: WebhookCall,
  faultOf: (status: number, text: string) => string | undefined,
): Promise<string | undefined> {
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers,
      body,
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    })
    return faultOf(answer.status, await answer.text())
  } catch (error) {
    return error instanceof Error ? error.message || error.name : String(error)
  }
}
