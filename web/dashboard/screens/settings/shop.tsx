// What the merchant decides for all its payments.
import type { FormEvent } from 'react'
import { useAct } from '../../api/act.ts'
import { useRead } from '../../api/queries.ts'
import { useMerchant } from '../../api/session.ts'
import { Button } from '../../kit/button.tsx'
import { FormFault, Loaded } from '../../kit/fault.tsx'
import { Fields, useDraft } from '../../kit/form.tsx'
import { Card } from '../../kit/page.tsx'
import { toast } from '../../kit/toast.tsx'
import { useWords } from '../../words/reader.ts'
import { settingsWords } from '../../words/settings.ts'
import { SettingsFrame } from './frame.tsx'

export function ShopPage() {
  const words = useWords(settingsWords)
  return (
    <SettingsFrame>
      <Loaded of={useRead('getSettings')}>
        {({ returnUrl = '' }) => (
          <Card title={words.returnTitle}>
            <p className="pb-4 text-13 text-ink-soft">{words.returnLead}</p>
            {/* A save elsewhere begins the form anew. */}
            <ReturnAddress key={returnUrl} kept={returnUrl} />
          </Card>
        )}
      </Loaded>
    </SettingsFrame>
  )
}

function ReturnAddress({ kept }: { readonly kept: string }) {
  const words = useWords(settingsWords)
  const mayChange = useMerchant().may('payments:write')
  const act = useAct()
  const draft = useDraft({ returnUrl: kept })
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const returnUrl = draft.values.returnUrl.trim()
    if (await act.send('setSettings', { body: returnUrl === '' ? {} : { returnUrl } })) toast(words.saved)
  }
  return (
    <form onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
      <Fields
        draft={draft}
        error={act.error}
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
      <FormFault error={act.error} />
      {mayChange && (
        <Button type="submit" variant="primary" busy={act.isBusy} className="self-start">
          {words.save}
        </Button>
      )}
    </form>
  )
}
