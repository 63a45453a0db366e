// Regular expressions of texts, for openapi.json. Our own readers check them with better messages, so an expression refuses nothing
// that its reader accepts. They use only syntax that every language knows. test/contract checks both against each other.

/** Text that can be stored: anything without NUL. */
export const storable = '^[^\\x00]*$'

/** Text that can be stored and has something to read. */
export const notBlank = '^[^\\x00]*[^\\s\\x00][^\\x00]*$'

/** Text in one line: no control characters (C0, DEL and C1). */
export const oneLine = '^[^\\x00-\\x1f\\x7f-\\x9f]*$'

/** The header Idempotency-Key: printable ASCII, bare or in the quotes of its draft standard; empty quotes are refused. */
export const idempotencyHeader = '^([!-~]|[!#-~][ -~]{0,253}[!-~]|"([!#-~]|[ -~]{1,253}[!-~]))$'

/** A cursor: base64url. */
export const cursor = '^[A-Za-z0-9_-]+$'

const year = '([1-9][0-9]{3}|0[1-9][0-9]{2}|00[1-9][0-9]|000[1-9])'
const monthAndDay =
  '((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|1[0-9]|2[0-8]))'
const time =
  '([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9](\\.[0-9]{1,9})?)?(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9])'

const leapYear = '([0-9]{2}(0[48]|[2468][048]|[13579][26])|(0[48]|[2468][048]|[13579][26])00)'

/** A date, or an instant with its offset. */
export const instant = `^(${year}-${monthAndDay}|${leapYear}-02-29)(T${time})?$`

/** Types of events, with commas between them. */
export const eventTypeList = '^[a-z_]+\\.[a-z_]+(,[a-z_]+\\.[a-z_]+)*$'

/** The name of a checkout. */
export const slug = '^[a-z0-9]([a-z0-9-]{0,62}[a-z0-9])?$'

/** The address of a payer's page, or the token at its end, with spaces around it. */
export const pageLink = '^\\s*([^?#\\x00]*/)?[a-z0-9]{2}[A-Za-z0-9_-]{32}([?#][^\\x00]*)?\\s*$'

/** Bytes in base64, with its padding (RFC 4648 §4). */
export const base64 = '^[A-Za-z0-9+/]+={0,2}$'

/** SHA-256 in hexadecimal digits. */
export const sha256 = '^[0-9a-f]{64}$'

/** A name of the IANA time zone database. */
/** Hour and minute of a day. */
export const timeOfDay = '^([01][0-9]|2[0-3]):[0-5][0-9]$'

export const timeZone = '^[A-Za-z][A-Za-z0-9_+-]*(/[A-Za-z0-9_+-]+)*$'

const label = '[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?'
const name = `(${label}\\.)*[A-Za-z]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?`
const port = '(:([1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-4][0-9]{3}))?'

/** https at a name; in a sandbox also http at one's own machine. */
export const url = `^(https://${name}|https?://(localhost|127\\.0\\.0\\.1|\\[::1\\]))${port}([/?][!-\\[\\]-~]*)?$`

/** Without the characters that only some languages call white space. */
export const email = '^[^\\s\\x00-\\x1f\\ufeff@]+@[^\\s\\x00-\\x1f\\ufeff@]+$'

const cpf = '[0-9]{3}\\.?[0-9]{3}\\.?[0-9]{3}-?[0-9]{2}'
const cnpj = '[0-9A-Za-z]{2}\\.?[0-9A-Za-z]{3}\\.?[0-9A-Za-z]{3}/?[0-9A-Za-z]{4}-?[0-9]{2}'

/** A tax id of any country, masked or not. An expression cannot check the check digits. */
export const taxId = '^[^\\x00]{4,30}$'

/** A phone number, with its country code or without, and with punctuation. An expression cannot check the plans of all countries. */
export const phone = '^[^\\x00]{5,30}$'

/** An address or a network, IPv4 or IPv6. An expression cannot check that a network has no bits beyond its length. */
export const cidr = '^[0-9A-Fa-f.:]{2,45}(/(0|[1-9][0-9]{0,2}))?$'

/** An address on an EVM chain. An expression cannot check the checksum in its capitals. */
export const evmAddress = '^0x[0-9A-Fa-f]{40}$'

/** The hash of a transaction on an EVM chain. */
export const txHash = '^0x[0-9A-Fa-f]{64}$'

/** The banks' name of a Pix. */
export const endToEndId = '^[A-Za-z0-9]{1,40}$'

const mailLocal = "[A-Za-z0-9!#$&'*+/=?^_`{|}~-]+(\\.[A-Za-z0-9!#$&'*+/=?^_`{|}~-]+)*"

/** PIX keys of each type. */
export const pixKeys = {
  CPF: `^${cpf}$`,
  CNPJ: `^${cnpj}$`,
  PHONE: '^(\\+?55)?(1[1-9]|2[12478]|3[1-578]|4[1-9]|5[1345]|6[1-9]|7[134579]|8[1-9]|9[1-9])[6-9][0-9]{8}$',
  EMAIL: `^${mailLocal}@([A-Za-z0-9]+(-+[A-Za-z0-9]+)*\\.)+[A-Za-z]{2,}$`,
  EVP: '^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$',
} as const
