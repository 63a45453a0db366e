// A payment of the sandbox by one press, and its payer's page in another tab.
import { useState } from 'react'
import { call } from '../../api/call.ts'
import type { Template } from '../../api/generated.ts'
import { codeOf } from '../../api/problem.ts'
import { useMerchant } from '../../api/session.ts'
import { Button } from '../../kit/button.tsx'
import { useFaultText } from '../../kit/fault.tsx'
import { toast } from '../../kit/toast.tsx'
import { useFormat, useWords } from '../../words/reader.ts'
import { templateWords } from '../../words/templates.ts'
import type { DraftHere } from './draft.ts'
import type { Draft } from './model.ts'

/** 10.00 in the template's first currency. */
const usualMinor = 1_000
/** The sandbox's bank pays a Pix of 50.01 by itself, two seconds after it was chosen. */
const selfPaidMinor = 5_001

export function TestPayment({
  template,
  document,
}: {
  readonly template: Template
  readonly document: Draft
}) {
  const words = useWords(templateWords)
  const format = useFormat()
  const mayTest = useMayTest()
  const { isBusy, open } = useTestTab(template.slug)
  if (!mayTest) return null
  return (
    <Button
      icon="play"
      busy={isBusy}
      disabled={!template.isActive}
      title={words.testOf(format.count(template.revision))}
      onClick={() => void open(document, usualMinor)}
    >
      {words.test}
    </Button>
  )
}

/** For a template that was never published: published as it is, and its payer's page with a payment that the sandbox's bank pays by itself. */
export function PublishAndPay({
  slug,
  draft,
  disabled,
}: {
  readonly slug: string
  readonly draft: DraftHere
  readonly disabled: boolean
}) {
  const words = useWords(templateWords)
  const { isBusy, open } = useTestTab(slug)
  return (
    <Button
      variant="primary"
      icon="play"
      busy={isBusy}
      disabled={disabled}
      onClick={() => void open(draft.document, selfPaidMinor, draft.keeper.publish)}
    >
      {words.publishAndPay}
    </Button>
  )
}

/** Not for a live merchant: the payment would be real. */
export function useMayTest(): boolean {
  const { mode, may } = useMerchant()
  return mode === 'SANDBOX' && may('payments:write')
}

/** Makes a payment of about `minor` and opens its page. `before`: what has to succeed first. */
function useTestTab(slug: string) {
  const words = useWords(templateWords)
  const textOf = useFaultText()
  const { id } = useMerchant()
  const [isBusy, setBusy] = useState(false)
  const open = async (document: Draft, minor: number, before?: () => Promise<void>) => {
    setBusy(true)
    // Opened with the press: later the browser takes it for an advertisement.
    const tab = window.open('', '_blank')
    try {
      await before?.()
      const { checkoutUrl } = await call(
        'createPayment',
        {
          merchant: id,
          body: { amount: amountOf(document, minor), currency: document.currencies[0], checkout: slug },
        },
        { key: crypto.randomUUID() },
      )
      if (checkoutUrl === undefined) throw new Error('a payment with a checkout has a page')
      if (tab === null) window.location.assign(checkoutUrl)
      else tab.location.replace(checkoutUrl)
      toast(words.testOpened)
    } catch (error) {
      tab?.close()
      // The editor says who changed the template in the meantime, and lets the user choose.
      toast(codeOf(error) === 'invalid_state' ? words.notPublished : textOf(error), { isBad: true })
    }
    setBusy(false)
  }
  return { isBusy, open }
}

/** Within the limits of the first method that has any in the currency. */
function amountOf({ methods, currencies }: Draft, preferred: number): number {
  const [currency] = currencies
  const limits = currency === undefined ? [] : methods.flatMap((each) => each.limits?.[currency] ?? [])
  const { min, max } = limits[0] ?? {}
  const least = typeof min === 'number' ? min : 1
  const most = typeof max === 'number' ? max : Number.MAX_SAFE_INTEGER
  return Math.min(Math.max(preferred, least), most)
}
