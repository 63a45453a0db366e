// Files that a build has compressed in advance: read once, and sent in the encoding that the browser accepts.
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

export type PackedFile = {
  readonly type: string
  readonly plain: Buffer
  /** Absent where the file is compressed by its own format. */
  readonly br?: Buffer
  readonly gzip?: Buffer
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
}

/** Reads these files of a folder, by their names. Where a build keeps only the compressed ones, they are unpacked. */
export async function readPackedFiles(
  folder: string,
  names: readonly string[],
): Promise<ReadonlyMap<string, PackedFile>> {
  return new Map(await Promise.all(names.map(async (name) => [name, await readOne(folder, name)] as const)))
}

async function readOne(folder: string, name: string): Promise<PackedFile> {
  const type = types[path.extname(name)] ?? 'application/octet-stream'
  const read = (suffix: string) => readFile(path.join(folder, name + suffix))
  // A picture of the sources is sent as it is.
  const [br, gzip] = name.endsWith('.png')
    ? []
    : await Promise.all([read('.br'), read('.gz')].map((file) => file.catch(() => undefined)))
  if (br === undefined || gzip === undefined) return { type, plain: await read('') }
  return { type, plain: await read('').catch(() => promisify(gunzip)(gzip)), br, gzip }
}

/** Sends the file. Whether caches may keep it is the caller's to say. */
export function sendPackedFile(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  file: PackedFile,
): FastifyReply {
  const accepted = headers['accept-encoding'] ?? ''
  void reply.type(file.type).header('vary', 'accept-encoding').header('x-content-type-options', 'nosniff')
  if (file.br !== undefined && /\bbr\b/.test(accepted))
    return reply.header('content-encoding', 'br').send(file.br)
  if (file.gzip !== undefined && /\bgzip\b/.test(accepted))
    return reply.header('content-encoding', 'gzip').send(file.gzip)
  return reply.send(file.plain)
}
