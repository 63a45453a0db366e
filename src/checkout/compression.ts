// Compresses answers with brotli (RFC 7932), else gzip (RFC 1952). Compression can leak a secret by the length of an answer, if a
// stranger can put text beside the secret (BREACH). That is not possible here: no page repeats text of a link, and forms of other
// sites are refused. The dashboard's records are sent to its own pages alone: another site's request is refused before it is answered.
import { promisify } from 'node:util'
import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from 'node:zlib'
import type { FastifyInstance, FastifyReply } from 'fastify'

/** The same bytes in each encoding. */
export type Packed = { readonly br: Buffer; readonly gzip: Buffer }
type Encoding = keyof Packed

/** A smaller answer fits one packet in any case. */
const leastBytes = 1_000

/** A higher quality costs more time than it saves in transfer (brotli 0 to 11, gzip 1 to 9). */
const liveQuality = { br: 5, gzip: 6 } as const

const pack: Readonly<Record<Encoding, (body: string | Buffer) => Promise<Buffer>>> = {
  br: (body) => promisify(brotliCompress)(body, brotliOptions(liveQuality.br)),
  gzip: (body) => promisify(gzip)(body, { level: liveQuality.gzip }),
}

/** At the highest quality, for files that are compressed once and sent many times. */
export function packFile(body: Buffer): Packed {
  const br = brotliCompressSync(body, brotliOptions(constants.BROTLI_MAX_QUALITY))
  return { br, gzip: gzipSync(body, { level: constants.Z_BEST_COMPRESSION }) }
}

function brotliOptions(quality: number) {
  const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_MODE, BROTLI_MODE_TEXT } = constants
  return { params: { [BROTLI_PARAM_QUALITY]: quality, [BROTLI_PARAM_MODE]: BROTLI_MODE_TEXT } }
}

/** Compresses every text of this server's answers that is not compressed already. Streams are left out. */
export function registerCompression(server: FastifyInstance): void {
  server.addHook('onSend', async (request, reply, payload) => {
    if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return payload
    if (reply.hasHeader('content-encoding') || !isText(reply)) return payload
    varyByEncoding(reply)
    const encoding = encodingFor(request.headers['accept-encoding'])
    if (encoding === undefined || Buffer.byteLength(payload) < leastBytes) return payload
    void reply.header('content-encoding', encoding).removeHeader('content-length')
    return pack[encoding](payload)
  })
}

/** The body in the best encoding that the browser accepts, with the headers for it. */
export function choosePacked(
  reply: FastifyReply,
  acceptEncoding: string | undefined,
  packed: Packed,
): Buffer | undefined {
  varyByEncoding(reply)
  const encoding = encodingFor(acceptEncoding)
  if (encoding === undefined) return undefined
  void reply.header('content-encoding', encoding)
  return packed[encoding]
}

/** Brotli before gzip. An encoding with `q=0` is refused (RFC 9110 §12.5.3). */
function encodingFor(acceptEncoding: string | undefined): Encoding | undefined {
  const accepted = new Set<string>()
  for (const part of (acceptEncoding ?? '').split(',')) {
    const [name = '', ...parameters] = part.split(';').map((each) => each.trim().toLowerCase())
    if (!parameters.some((each) => /^q=0(?:\.0*)?$/.test(each))) accepted.add(name)
  }
  return (['br', 'gzip'] as const).find((each) => accepted.has(each))
}

function isText(reply: FastifyReply): boolean {
  return /^(?:text\/|application\/(?:json|javascript)|image\/svg)/.test(
    String(reply.getHeader('content-type') ?? ''),
  )
}

function varyByEncoding(reply: FastifyReply): void {
  const vary = String(reply.getHeader('vary') ?? '')
  if (!/\baccept-encoding\b/.test(vary))
    void reply.header('vary', vary === '' ? 'accept-encoding' : `${vary}, accept-encoding`)
}
