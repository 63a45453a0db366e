// Drafts of templates: one for each template of a merchant, which its people share. A draft may be invalid; payers never see it.
import type { Sql, Tx } from '#/db/client.ts'
import { must } from '#/kernel/check.ts'
import { AppError } from '#/kernel/error.ts'
import { findUncleanText } from '#/kernel/json.ts'
import * as queries from './queries.ts'
import type { TemplateKey } from './template.ts'

/** The most drafts of one merchant. With the largest document of each they are 13 MB. */
export const draftsMax = 50
/** The largest document, in bytes: the largest template that can be published. */
export const draftBytesMax = 262_144

/**
 * Saves the draft. `seen`: the version of the stored draft that its author started from; undefined when there was none. When this version
 * is stored already, an earlier request saved it and its answer was lost. A draft that somebody else has saved, published or discarded
 * since is not overwritten (409).
 */
export async function saveDraft(
  sql: Sql,
  { seen: replaced, ...draft }: queries.NewDraft & { readonly seen?: string | undefined },
): Promise<queries.DraftRow> {
  checkDocument(draft.document)
  return sql.begin(async (tx): Promise<queries.DraftRow> => {
    await queries.lockDrafts(tx, draft.merchantId)
    const stored = await queries.selectDraft(tx, draft)
    if (stored?.version === draft.version) return stored
    if (stored?.version !== replaced) throw draftChanged()
    if (stored === undefined && (await queries.countDrafts(tx, draft.merchantId)) >= draftsMax)
      throw new AppError('limit_exceeded', `There are ${draftsMax} drafts. Publish or discard one first.`, {
        extra: { reason: 'too_many_drafts' },
      })
    await queries.writeDraft(tx, draft)
    return must(await queries.selectDraft(tx, draft), 'it was written')
  })
}

/** Removes the draft of this version, in the transaction of its publication or by itself. */
export async function takeDraft(sql: Sql | Tx, key: TemplateKey, version: string): Promise<void> {
  if (!(await queries.deleteDraft(sql, key, version))) throw draftChanged()
}

function checkDocument(document: Readonly<Record<string, unknown>>): void {
  const unclean = findUncleanText(document)
  if (unclean !== undefined) {
    const message = 'This holds a NUL or half a surrogate pair.'
    const faults = [{ pointer: `/document${unclean}`, code: 'unclean_text', message }]
    throw new AppError('invalid_request', 'The draft cannot be kept.', { faults })
  }
  if (Buffer.byteLength(JSON.stringify(document)) > draftBytesMax)
    throw new AppError('payload_too_large', `A draft has at most ${draftBytesMax} bytes.`)
}

function draftChanged(): AppError {
  return new AppError('invalid_state', 'Somebody has saved, published or discarded the draft since.')
}
