// Files that are uploaded as evidence (https://stripe.com/docs/guides/file-upload): PDF, JPEG or PNG, 5 MB each.
import { seconds } from '../kit/clock.ts'
import type { Route } from '../kit/http.ts'
import { newId, type Account, type Acquirer } from './acquirer.ts'
import { badParam } from './api-error.ts'
import { apiRoute, get } from './api-route.ts'
import { choiceOf, mustHave, only, type Params } from './params.ts'
import type { SentFile } from './upload.ts'
import type { FileObject } from './wire.ts'

const bytesMax = 5_000_000
/** Evidence is kept for nine months. */
const keptSeconds = 270 * 86_400

const kinds: readonly { readonly type: FileObject['type']; readonly begins: string }[] = [
  { type: 'pdf', begins: '255044462d' },
  { type: 'png', begins: '89504e470d0a1a0a' },
  { type: 'jpg', begins: 'ffd8ff' },
]

export function fileRoutes(acquirer: Acquirer): readonly Route[] {
  const { files } = acquirer
  return [
    apiRoute(
      acquirer,
      'POST',
      '/v1/files',
      ({ account, params, file }) => createFile(acquirer, account, params, file),
      { upload: true },
    ),
    get(acquirer, '/v1/files', 'file upload', files),
  ]
}

function createFile(
  acquirer: Acquirer,
  account: Account,
  params: Params,
  sent: SentFile | undefined,
): FileObject {
  only(params, ['purpose', 'expand'])
  mustHave(params, 'purpose', choiceOf(params, 'purpose', ['dispute_evidence']))
  const file = mustHave(params, 'file', sent)
  if (file.bytes.length === 0 || file.bytes.length > bytesMax)
    throw badParam('file', `The file must have 1 to ${bytesMax} bytes.`)
  const kind = kinds.find(({ begins }) => file.bytes.toString('hex', 0, begins.length / 2) === begins)
  if (kind === undefined) throw badParam('file', 'Evidence must be a PDF, JPEG or PNG file.')
  const id = newId(acquirer, 'file')
  const at = seconds()
  const wire: FileObject = {
    id,
    object: 'file',
    created: at,
    expires_at: at + keptSeconds,
    filename: file.name,
    purpose: 'dispute_evidence',
    size: file.bytes.length,
    title: null,
    type: kind.type,
    url: `${acquirer.passing.baseUrl}/v1/files/${id}/contents`,
  }
  return acquirer.files.put(id, { account: account.id, wire, content: file.bytes.toString('base64') }).wire
}
