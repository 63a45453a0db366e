// What the merchant decides for all its payments.
import type { FormEvent } from 'react'
import { countries } from '#/kernel/country.ts'
import type { Locale } from '#/kernel/language.ts'
import { useAct } from '../../api/act.ts'
import { useRead } from '../../api/queries.ts'
import { useMerchant } from '../../api/session.ts'
import { Button } from '../../kit/button.tsx'
import { FormFault, Loaded } from '../../kit/fault.tsx'
import { Check } from '../../kit/field.tsx'
import { Fields, useDraft, type Item } from '../../kit/form.tsx'
import { Card } from '../../kit/page.tsx'
import { toast } from '../../kit/toast.tsx'
import { useReader, useWords } from '../../words/reader.ts'
import { settingsWords } from '../../words/settings.ts'
import { SettingsFrame } from './frame.tsx'

/** Empty: there is none. The country is that of the tax id. */
type Settings = {
  readonly returnUrl: string
  readonly legalName: string
  readonly taxId: string
  readonly country: string
}

export function ShopPage() {
  const { may } = useMerchant()
  return (
    <SettingsFrame>
      <Loaded of={useRead('getSettings')}>
        {({ returnUrl = '', legalName = '', taxId = '', country = 'BR' }) => {
          const kept = { returnUrl, legalName, taxId, country }
          // A save elsewhere begins the form anew.
          return <Shop key={JSON.stringify(kept)} kept={kept} />
        }}
      </Loaded>
      {may('profile:write') && <SetupShown />}
    </SettingsFrame>
  )
}

/** Whether the overview lists what is to be set up. */
function SetupShown() {
  const words = useWords(settingsWords)
  const act = useAct()
  return (
    <Loaded of={useRead('getSetup', { of: ['overview', 'setup'] })}>
      {({ isHidden, steps }) => (
        <Card title={words.setupTitle}>
          <Check
            checked={!isHidden}
            disabled={act.isBusy}
            onChange={(isShown) => void act.send('hideSetup', { body: { isHidden: !isShown } })}
          >
            {words.setupShown}
          </Check>
          {steps.every(({ isDone }) => isDone) && <p className="text-13 text-ink-soft">{words.setupDone}</p>}
          <FormFault error={act.error} />
        </Card>
      )}
    </Loaded>
  )
}

/** One form, because a change replaces all settings. */
function Shop({ kept }: { readonly kept: Settings }) {
  const words = useWords(settingsWords)
  const mayChange = useMerchant().may('payments:write')
  const act = useAct()
  const draft = useDraft(kept)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    // Without a tax id the country says nothing.
    const { country, ...others } = draft.values
    const given = { ...others, country: others.taxId.trim() === '' ? '' : country }
    const texts = Object.entries(given).map(([name, text]) => [name, text.trim()] as const)
    const body = Object.fromEntries(texts.filter(([, text]) => text !== ''))
    if (await act.send('setSettings', { body })) toast(words.saved)
  }
  const shared = { draft, error: act.error }
  return (
    <form onSubmit={(event) => void submit(event)} className="flex flex-col gap-6">
      <Card title={words.sellerTitle}>
        <p className="pb-4 text-13 text-ink-soft">{words.sellerLead}</p>
        <div className="flex flex-col gap-4">
          <Fields {...shared} items={useSellerItems(draft.values.country, !mayChange)} />
        </div>
      </Card>
      <Card title={words.returnTitle}>
        <p className="pb-4 text-13 text-ink-soft">{words.returnLead}</p>
        <Fields
          {...shared}
          items={[
            {
              name: 'returnUrl',
              label: words.returnUrl,
              help: words.returnUrlHelp,
              type: 'url',
              maxLength: 2_048,
              placeholder: 'https://',
              disabled: !mayChange,
            },
          ]}
        />
      </Card>
      <FormFault error={act.error} />
      {mayChange && (
        <Button type="submit" variant="primary" busy={act.isBusy} className="self-start">
          {words.save}
        </Button>
      )}
    </form>
  )
}

function useSellerItems(country: string, disabled: boolean): readonly Item<Settings>[] {
  const words = useWords(settingsWords)
  const { locale } = useReader()
  return [
    { name: 'legalName', label: words.legalName, maxLength: 200, autoComplete: 'organization', disabled },
    {
      row: [
        { name: 'country', label: words.sellerCountry, options: countryChoices(locale), disabled },
        {
          name: 'taxId',
          label: country === 'BR' ? words.sellerTaxId : words.sellerForeignTaxId,
          maxLength: 30,
          autoComplete: 'off',
          disabled,
        },
      ],
    },
  ]
}

function countryChoices(locale: Locale): readonly { readonly value: string; readonly label: string }[] {
  const names = new Intl.DisplayNames(locale, { type: 'region' })
  const choices = countries.map((value) => ({ value, label: names.of(value) ?? value }))
  return choices.toSorted((a, b) => a.label.localeCompare(b.label, locale))
}
