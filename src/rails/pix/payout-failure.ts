// Why a payout was not carried out, in words for the merchant. Codes of the SPI (Banco Central) are kept; a refusal of the PSP
// itself gets a code of ours. The PSP's own words are in the evidence and in the log.

/** Returns a refusal by way of the SPI: the payout was tried. A text without the form of an SPI code is not passed on. */
export function failureOf(code: string | undefined): Failure {
  if (code === undefined || !/^[A-Z]{2}(?:\d{2}|[A-Z]{2})$/.test(code))
    return { code: 'refused_by_bank', message: "The recipient's bank did not take it." }
  return { code, message: messages.get(code) ?? `The payment system refused it with ${code}.` }
}

/** Returns a refusal of the call itself: nothing was tried. `name`: the PSP's own name of it. */
export function refusalOf(name: string | undefined): Failure {
  const code = ours.get(name ?? '') ?? 'refused_by_provider'
  return { code, message: messages.get(code) ?? 'The bank that pays did not take the payout.' }
}

export type Failure = { readonly code: string; readonly message: string }

const ours: ReadonlyMap<string, string> = new Map(
  Object.entries({
    chave_nao_encontrada: 'pix_key_not_found',
    saldo_insuficiente: 'provider_funds',
    limite_noturno_excedido: 'provider_limit',
    limite_excedido: 'provider_limit',
  }),
)

const messages: ReadonlyMap<string, string> = new Map(
  Object.entries({
    pix_key_not_found: 'There is no such PIX key.',
    provider_funds: 'The account that pays does not hold enough.',
    provider_limit: 'A limit of the account that pays would be exceeded.',
    AB03: 'The payment system did not settle it in time.',
    AB09: "The recipient's bank could not take it.",
    AB11: "The recipient's bank did not answer in time.",
    AC03: "The recipient's account does not exist.",
    AC06: "The recipient's account is blocked.",
    AC07: "The recipient's account is closed.",
    AC14: "The recipient's account is of a kind that takes no PIX.",
    AG03: "The recipient's bank does not take this kind of transfer.",
    AM02: "The amount is more than the recipient's account may take.",
    AM04: 'The bank that pays lacks funds in the payment system.',
    BE01: 'The account belongs to somebody else.',
    CH11: 'The account belongs to somebody else.',
    DS04: "The recipient's bank refused it.",
    DUPL: 'The payment system had it before.',
    ED05: 'The payment system could not settle it.',
    FRAD: 'It was refused on suspicion of fraud.',
    RC09: "The recipient's bank is not known to the payment system.",
    RC10: "The recipient's bank is not known to the payment system.",
    RR04: 'It was refused for regulatory reasons.',
  }),
)
