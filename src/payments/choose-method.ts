// The payer of a checkout chooses a method: the payer's data is stored, the method is opened, and the payment waits for money by that
// method. The payer may change the method until money comes. Money that comes by an earlier method is credited.
import { fieldNames } from '#/contract/templates.ts'
import { must } from '#/kernel/check.ts'
import { AppError, type FieldFault } from '#/kernel/error.ts'
import { given } from '#/kernel/given.ts'
import { findUncleanText } from '#/kernel/json.ts'
import { secondMs } from '#/kernel/time.ts'
import type { PayerNeed } from '#/rails/descriptor.ts'
import type { Method } from '#/rails/method.ts'
import type { Brand } from '#/rails/rail.ts'
import type { TemplateStore } from '#/templates/store.ts'
import type { TemplateDocument } from '#/templates/template.ts'
import type { PageAttempt, PageOpener } from './open.ts'
import { payerDetailsOf } from './payer-choice.ts'
import type { Payer, Payment } from './payment.ts'

export type PayerChoice = {
  readonly method: Method
  /** All that the page's form holds. Absent: what the payer entered before. */
  readonly customer?: Payer
  /** What the method needs of the payer, beyond what the template asks for. */
  readonly needs?: readonly PayerNeed[]
  /** BCP 47. */
  readonly locale?: string
  readonly brand?: Brand
}

export type Chooser = {
  /**
   * Returns the payment as it is now and the attempt that it waits for. There is no attempt when the payment is over, money is on its
   * way by another method, or the provider refuses (`lastError` says why). Errors:
   * - 400 with pointers into `/customer`: the template requires more
   * - 422 `method_not_available`
   * - 503 `provider_unavailable`: the earlier choice still counts
   */
  choose(payment: Payment, choice: PayerChoice): Promise<PageAttempt>
}

export type ChooserDeps = {
  readonly opener: PageOpener
  readonly templates: Pick<TemplateStore, 'revisionOf'>
}

export function createChooser({ opener, templates }: ChooserDeps): Chooser {
  return {
    async choose(payment, { method, customer, needs = [], locale, brand }) {
      const { merchantId, request, templateRevision } = payment
      if (request.checkout === undefined || templateRevision === undefined)
        throw new AppError('invalid_state', 'There is nothing to choose: the payment has one method.')
      const key = { merchantId, slug: request.checkout }
      const { document } = must(
        await templates.revisionOf(key, templateRevision),
        'the revision that a payment pinned is kept',
      )
      const payer = customer === undefined ? undefined : collect(document, customer, needs)
      const faults = faultsOf(document, payment, payer ?? payment.payer ?? {})
      if (faults.length > 0)
        throw new AppError('invalid_request', 'The page needs more to go on.', { faults })
      const seconds = document.expiry[method]
      return opener.openChosen(
        payment,
        { method, ...given({ locale, brand }) },
        {
          ...given({ payer }),
          ...(seconds === undefined ? {} : { expiryMs: seconds * secondMs }),
        },
      )
    },
  }
}

/** Keeps only what the template asks for, and what the method needs. */
function collect({ fields, address }: TemplateDocument, customer: Payer, needs: readonly PayerNeed[]): Payer {
  const kept: { -readonly [Name in keyof Payer]: Payer[Name] } = {}
  for (const name of fieldNames) {
    const value = customer[name]
    if ((fields[name] !== 'hidden' || needs.includes(name)) && value !== undefined && value !== '')
      kept[name] = value
  }
  if ((address !== 'none' || needs.includes('address')) && customer.address !== undefined)
    kept.address = customer.address
  if (needs.includes('iban') && customer.iban !== undefined && customer.mandate !== undefined)
    Object.assign(kept, { iban: customer.iban, mandate: customer.mandate })
  return kept
}

const textMax = 254

/** What neither the merchant nor the payer provided, and what cannot be stored. */
function faultsOf(
  { fields, address }: TemplateDocument,
  { request }: Payment,
  payer: Payer,
): readonly FieldFault[] {
  const faults: FieldFault[] = []
  const provided = payerDetailsOf({ request, payer })
  const missing = (pointer: string) => faults.push({ pointer, code: 'required', message: 'is required' })
  for (const name of fieldNames)
    if (fields[name] === 'required' && provided[name] === undefined) missing(`/customer/${name}`)
  if (address !== 'none' && provided.address === undefined) missing('/customer/address')
  const unclean = findUncleanText(payer, '/customer')
  if (unclean !== undefined)
    faults.push({ pointer: unclean, code: 'unclean_text', message: 'holds a NUL or half a surrogate pair' })
  for (const [name, value] of Object.entries({ ...payer, ...payer.address })) {
    if (typeof value === 'string' && value.length > textMax)
      faults.push({
        pointer: `/customer/${name}`,
        code: 'too_long',
        message: `has at most ${textMax} characters`,
      })
  }
  return faults
}
