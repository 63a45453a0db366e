// What a file is that is no statement: so that the person who handed it in knows what to ask the bank for.

/** The messages of ISO 20022 that people hand in by mistake, or that banks hand out beside statements. */
const messages: readonly (readonly [RegExp, string])[] = [
  [/^pain\.001/, 'a file of payments, which goes to the bank'],
  [/^pain\.008/, 'a file of direct debits, which goes to the bank'],
  [/^pain\.002/, 'a report about a file of payments'],
  [/^pacs\./, 'a message between banks'],
  [/^camt\.05[234]\.001\.01$/, 'of the first version, which no bank should write any more'],
  [/^camt\.05[234]/, 'of a version that is not known here'],
  [/^camt\.086/, 'a bill of the bank'],
  [/^camt\./, 'another message than a statement'],
  [/^acmt\./, 'a message about the account itself'],
]

/** The first bytes of what is no XML. */
const starts: readonly (readonly [RegExp, string])[] = [
  [/^%PDF/, 'a PDF'],
  [/^\p{Cc}\x8b/u, 'packed by gzip: unpack it first'],
  [/^(?:7z\xbc\xaf|Rar!)/, 'an archive: unpack it first, or pack it as ZIP'],
  [/^\xd0\xcf\p{Cc}\xe0/u, 'a document of Office'],
  [/^-----BEGIN/, 'signed or encrypted'],
  [/^\s*<(?:!doctype )?html/i, 'a web page, perhaps the one where you sign in at the bank'],
  [/^(?:\{1:|:20:|\s*:20:)|\r?\n:(?:25|28C?|60F):/, 'SWIFT text (MT940 or MT942)'],
  [/^\s*\{|^\s*\[/, 'JSON'],
  [/^(?:"?[^<\n]{0,80}[;\t,]){2}/, 'a table (CSV)'],
]

/** What the namespace of an XML document says of it, as the end of "it is …". */
export function kindOfMessage(spaces: readonly string[], root: string): string {
  const message = spaces.flatMap((each) => /iso:20022:tech:xsd:([\w.]{1,40})$/.exec(each)?.[1] ?? [])[0]
  if (message === undefined)
    return `XML with the root ${root.slice(0, 40)}, which names no message of ISO 20022`
  const known = messages.find(([form]) => form.test(message))?.[1]
  return known === undefined ? message : `${message}, ${known}`
}

/** What bytes that are no XML look like, as the end of "it is …"; undefined when nothing is known. */
export function kindOfBytes(bytes: Buffer): string | undefined {
  const start = bytes.subarray(0, 400).toString('latin1')
  return starts.find(([form]) => form.test(start))?.[1]
}
