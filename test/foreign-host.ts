// A request under another name than the server's, as after a DNS rebinding: fetch does not allow that.
import { once } from 'node:events'
import http from 'node:http'

/** The status that `url` answers with under the name `host`. */
export async function statusUnder(
  host: string,
  url: string,
  more: { readonly method?: string; readonly headers?: Readonly<Record<string, string>> } = {},
): Promise<number | undefined> {
  const { method = 'GET', headers = {} } = more
  const request = http.request(url, { method, headers: { ...headers, host }, agent: false })
  request.end()
  const [response] = (await once(request, 'response')) as [http.IncomingMessage]
  response.resume()
  await once(response, 'end')
  return response.statusCode
}
