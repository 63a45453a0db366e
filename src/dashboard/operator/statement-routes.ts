// A bank's files: handed in by parts, listed with what became of them, and typos of payers, which a person decides. Reading the files is a
// job.
import { Type as T } from 'typebox'
import { currency } from '#/contract/words.ts'
import { pageSize, paging, queryOf } from '#/http/query.ts'
import { AppError } from '#/kernel/error.ts'
import type { UserId } from '#/kernel/id.ts'
import { count, instant, oneOf, sum, uuid, whole } from '#/kernel/schema.ts'
import type { UploadId } from '#/operator-jobs/upload-queries.ts'
import { addPart, beginUpload, partBytesMax, uploadBytesMax } from '#/operator-jobs/uploads.ts'
import { acceptTypo, refuseTypo } from '#/operator/acts/bank-files.ts'
import { selectFilePage, selectProposalPage } from '#/operator/sepa-queries.ts'
import type { By } from '#/people/audit-entry.ts'
import { writeAudit } from '#/people/audit-log.ts'
import { none } from '#/people/concern.ts'
import { countRefusedUpload } from '#/people/throttle.ts'
import { mayBeCorrection } from '#/rails/sepa/follow.ts'
import { proposalOf } from '#/rails/sepa/propose.ts'
import type { FileRow, ProposalRow } from '#/rails/sepa/statement-queries.ts'
import type { DashboardDeps } from '../deps.ts'
import { bodyOf, listed } from '../place.ts'
import { operatorRoute, type DashboardRoute } from '../route.ts'
import { routeOf } from './act-route.ts'
import { afterOf, pageByTime } from './words.ts'

const begin = operatorRoute({
  route: 'POST /operator/uploads',
  permission: 'operator:write',
  concern: 'money',
  operationId: 'beginUpload',
  summary: 'Begins to hand in a file for a job. A file that no job takes is deleted after a day',
  status: 201,
  answer: T.Object({ id: uuid(), partBytes: count('The size of each part but the last.') }),
  body: bodyOf({
    name: T.String({ minLength: 1, maxLength: 200, pattern: '\\S', description: 'The name of the file.' }),
    size: whole(1, uploadBytesMax, 'Its bytes.'),
  }),
  async handle(deps, { body, visitor, by }) {
    const { sql } = deps.http
    const { id: userId, email: name } = visitor.user
    const begun = () =>
      sql.begin(async (tx): Promise<UploadId> => {
        const id = await beginUpload(tx, { userId, name }, body)
        const after = { name: body.name, size: body.size }
        await writeAudit(tx, [{ ...by, action: 'upload.begin', subject: `upload:${id}`, after }])
        return id
      })
    return { id: await noting(deps, by, `user:${userId}`, begun), partBytes: partBytesMax }
  },
})

const part = operatorRoute({
  route: 'POST /operator/uploads/{id}/parts',
  permission: 'operator:write',
  concern: none('its upload was begun with the factor; it may last longer than the factor is fresh'),
  operationId: 'addUploadPart',
  summary: 'Hands in one part of a file, as bytes. The same part again changes nothing',
  unaudited: 'nothing is read from it yet: the job that imports it has its row',
  reads: 'bytes',
  bodyBytesMax: partBytesMax,
  query: queryOf({ number: T.Optional(whole(0, 15, 'Which part, from 0.')) }),
  async handle(deps, { id, query, body: bytes, visitor, by }) {
    const uploadId = id as UploadId
    const { id: userId } = visitor.user
    await noting(deps, by, `upload:${uploadId}`, async () => {
      if (!Buffer.isBuffer(bytes))
        throw new AppError('invalid_request', 'Send the part as application/octet-stream.')
      await addPart(deps.http.sql, { userId }, { uploadId, number: query.number ?? 0, bytes })
    })
  },
})

/** Does it, and writes a refusal into the audit log: of one person ten at once, then one for each wait of the throttle. */
async function noting<Result>(
  { people }: Pick<DashboardDeps, 'people'>,
  by: By,
  subject: string,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    const { sql, key } = people
    if (error instanceof AppError && (await countRefusedUpload(sql, key, by.actor.id as UserId)))
      await writeAudit(sql, [{ ...by, action: 'upload.refuse', subject, after: { code: error.code } }])
    throw error
  }
}

const fileShape = T.Object(
  {
    connection: T.String(),
    sha256: T.String(),
    name: T.String(),
    message: T.String({ description: 'Which message of ISO 20022 it is, such as camt.053.001.08.' }),
    state: oneOf('BankFileState', ['IMPORTED', 'REFUSED'], 'A refused file changed nothing.'),
    reason: T.Optional(T.String({ description: 'Why it was refused.' })),
    raised: T.Optional(
      T.String({ description: 'What it does not say clearly about payouts, in a sentence: ask the bank.' }),
    ),
    isCorrection: T.Boolean({
      description:
        'It was refused because its statement has other entries than it had: two people may accept it.',
    }),
    entries: count('New movements in it.'),
    handedInBy: T.String(),
    createdAt: instant(),
  },
  { title: 'BankFile' },
)

function fileRecord({ sha256, reason: why, raised, ...file }: FileRow & { readonly atUs: string }) {
  const { atUs: _, ...rest } = file
  const said = { ...(why === null ? {} : { reason: why }), ...(typeof raised === 'string' ? { raised } : {}) }
  const isCorrection = file.state === 'REFUSED' && mayBeCorrection(why)
  return { ...rest, sha256: sha256.toString('hex'), ...said, isCorrection }
}

const files = operatorRoute({
  route: 'GET /operator/statements',
  operationId: 'listBankFiles',
  summary:
    'The files of banks that were handed in, newest first, with why one was refused. A file of no account of ours is not kept: its job says so',
  answer: listed(fileShape),
  query: queryOf({
    ...paging,
    state: T.Optional(oneOf('BankFileState', ['IMPORTED', 'REFUSED'], 'Only these.')),
  }),
  async handle({ http: { sql } }, { query }) {
    const { cursor, limit = pageSize, state } = query
    const after = afterOf(
      cursor,
      (text) => text.length < 100,
      (text) => /^[0-9a-f]{64}$/.test(text),
    )
    const rows = await selectFilePage(sql, {
      ...(state && { state }),
      ...(after && { after }),
      limit: limit + 1,
    })
    const partsOf = ({ connection, sha256 }: FileRow) => [connection, sha256.toString('hex')]
    return pageByTime(rows, limit, { recordOf: fileRecord, partsOf })
  },
})

const typoShape = T.Object(
  {
    connection: T.String(),
    entry: T.String({ description: 'The bank’s name of the money.' }),
    amount: sum('Minor units.'),
    currency,
    bookedOn: T.String(),
    wrote: T.String({ description: 'What the payer wrote.' }),
    near: T.String({ description: 'The reference that it nearly is.' }),
    payer: T.String(),
    merchantId: uuid(),
    paymentId: uuid(),
    createdAt: instant('When the file was imported.'),
  },
  { title: 'Typo' },
)

function typoRecord(row: ProposalRow) {
  const { minor, ...typo } = proposalOf(row)
  return { ...typo, amount: minor, currency: row.currency, createdAt: row.createdAt }
}

const typos = operatorRoute({
  route: 'GET /operator/typos',
  operationId: 'listTypos',
  summary:
    'Transfers whose reference is almost one of ours, oldest first: they are in no book until a person decides',
  answer: listed(typoShape),
  query: queryOf(paging),
  async handle({ http: { sql } }, { query: { cursor, limit = pageSize } }) {
    const isShort = (text: string) => text.length < 200
    const after = afterOf(cursor, isShort, isShort, (text) => /^\d{1,6}$/.test(text))
    const rows = await selectProposalPage(sql, { ...(after && { after }), limit: limit + 1 })
    const partsOf = (row: ProposalRow) => [row.connection, row.reference, String(row.part)]
    return pageByTime(rows, limit, { recordOf: typoRecord, partsOf })
  },
})

export const statementRoutes: readonly DashboardRoute[] = [
  begin,
  part,
  files,
  typos,
  routeOf(acceptTypo),
  routeOf(refuseTypo),
]
