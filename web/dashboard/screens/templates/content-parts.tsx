// What the page asks its payer for, its texts in each language, and its links.
import { useState } from 'react'
import { languageNames, locales, type Locale } from '#/kernel/language.ts'
import { Field, inputClass } from '../../kit/field.tsx'
import { useReader, useWords } from '../../words/reader.ts'
import { templateFieldWords } from '../../words/template-fields.ts'
import { CheckBox, NumberInput, Segments, SelectInput, TextInput, useFault, useForm } from './form.tsx'
import { addressUses, collections, fieldNames, textNames } from './model.ts'

export function PayerPart() {
  const words = useWords(templateFieldWords)
  return (
    <div className="flex flex-col gap-5">
      <p className="text-13 text-ink-soft">{words.asksLegend}</p>
      <div className="grid gap-5 sm:grid-cols-2">
        {fieldNames.map((name) => (
          <SelectInput
            key={name}
            path={['fields', name]}
            label={words.asks[name]}
            options={collections.map((value) => ({ value, label: words.collections[value] }))}
          />
        ))}
        <SelectInput
          path={['address']}
          label={words.address}
          options={addressUses.map((value) => ({ value, label: words.addresses[value] }))}
        />
      </div>
    </div>
  )
}

export function TextsPart() {
  const words = useWords(templateFieldWords)
  const { document, change } = useForm()
  const { timeZone } = useReader()
  const languagesFault = useFault(['languages', 'enabled'], true)
  const { enabled, default: usual } = document.languages
  const [chosen, setChosen] = useState<Locale>(usual)
  const shown = enabled.includes(chosen) ? chosen : (enabled[0] ?? usual)
  const toggle = (locale: Locale, isOn: boolean) => {
    const next = locales.filter((each) => (each === locale ? isOn : enabled.includes(each)))
    change(['languages'], {
      enabled: next,
      default: next.includes(usual) ? usual : (next[0] ?? usual),
    })
  }
  const zones = [...new Set([document.timeZone, timeZone, 'UTC', ...Intl.supportedValuesOf('timeZone')])]
  return (
    <div className="flex flex-col gap-5">
      <fieldset>
        <legend className="text-13 font-strong">{words.languages}</legend>
        <div className="flex flex-wrap gap-x-6">
          {locales.map((locale) => (
            <CheckBox
              key={locale}
              label={languageNames[locale]}
              isOn={enabled.includes(locale)}
              onChange={(isOn) => toggle(locale, isOn)}
            />
          ))}
        </div>
        {languagesFault !== undefined && (
          <p role="alert" className="text-13 text-bad">
            {languagesFault}
          </p>
        )}
      </fieldset>
      <div className="grid gap-5 sm:grid-cols-2">
        <SelectInput
          path={['languages', 'default']}
          label={words.defaultLanguage}
          options={enabled.map((value) => ({ value, label: languageNames[value] }))}
        />
        <SelectInput
          path={['timeZone']}
          label={words.timeZone}
          options={zones.toSorted().map((value) => ({ value, label: value.replaceAll('_', ' ') }))}
        />
      </div>
      {enabled.length > 1 && (
        <div className="overflow-x-auto">
          <Segments
            legend={words.textsOf}
            value={shown}
            options={enabled.map((value) => ({ value, label: languageNames[value] }))}
            onChange={setChosen}
          />
        </div>
      )}
      {textNames.map((name) => (
        <TextInput
          key={`${shown} ${name}`}
          path={['texts', shown, name]}
          label={words.texts[name]}
          help={words.textHelp[name]}
          isLong={name !== 'title'}
        />
      ))}
    </div>
  )
}

export function LinksPart() {
  const words = useWords(templateFieldWords)
  const { document, change } = useForm()
  const link = 'https://'
  return (
    <div className="flex flex-col gap-5">
      <TextInput path={['support', 'url']} label={words.supportUrl} type="url" placeholder={link} />
      <TextInput path={['support', 'email']} label={words.supportEmail} type="email" />
      <TextInput path={['legal', 'termsUrl']} label={words.termsUrl} type="url" placeholder={link} />
      <TextInput path={['legal', 'privacyUrl']} label={words.privacyUrl} type="url" placeholder={link} />
      <TextInput path={['urls', 'success']} label={words.successUrl} type="url" placeholder={link} />
      <TextInput path={['urls', 'cancel']} label={words.cancelUrl} type="url" placeholder={link} />
      <Hosts />
      <NumberInput path={['autoReturnSeconds']} label={words.autoReturn} help={words.autoReturnHelp} />
      <CheckBox
        label={words.cancelButton}
        isOn={document.cancelButton === true}
        onChange={(isOn) => change(['cancelButton'], isOn ? true : undefined)}
      />
    </div>
  )
}

function Hosts() {
  const { generation } = useForm()
  return <HostLines key={generation} />
}

/** One entry on each line. Empty lines are kept while the user types, and are not sent. */
function HostLines() {
  const words = useWords(templateFieldWords)
  const { document, change } = useForm()
  const fault = useFault(['urls', 'allowedHosts'], true)
  const [text, setText] = useState(() => (document.urls.allowedHosts ?? []).join('\n'))
  const write = (next: string) => {
    setText(next)
    const hosts = next
      .split('\n')
      .map((each) => each.trim())
      .filter((each) => each !== '')
    change(['urls', 'allowedHosts'], hosts.length === 0 ? undefined : hosts)
  }
  return (
    <Field label={words.allowedHosts} help={words.allowedHostsHelp} fault={fault}>
      {(attributes) => (
        <textarea
          {...attributes}
          rows={2}
          value={text}
          spellCheck={false}
          onChange={(event) => write(event.target.value)}
          className={`${inputClass} resize-y py-2 font-mono text-13!`}
        />
      )}
    </Field>
  )
}
