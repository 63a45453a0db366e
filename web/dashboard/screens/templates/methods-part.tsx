// The methods in their order, with limits and times, and the currencies.
import { useState } from 'react'
import { languageNames, locales, type Locale } from '#/kernel/language.ts'
import { currencies, type Currency } from '../../api/generated.ts'
import { Button, IconButton } from '../../kit/button.tsx'
import { Field, inputClass } from '../../kit/field.tsx'
import { Icon } from '../../kit/icons.tsx'
import { useWords, useReader } from '../../words/reader.ts'
import { stateWords } from '../../words/states.ts'
import { templateFieldWords } from '../../words/template-fields.ts'
import {
  AmountInput,
  CheckBox,
  NumberInput,
  useFault,
  useForm,
  Segments,
  SelectInput,
  Switch,
  TextInput,
} from './form.tsx'
import { type DraftMethod, addressUses, collections, currenciesOf, fieldNames, textNames } from './model.ts'

export function MethodsPart() {
  const words = useWords(templateFieldWords)
  const { document, change } = useForm()
  const fault = useFault(['methods'])
  return (
    <div className="flex flex-col gap-5">
      <fieldset>
        <legend className="text-13 font-strong">{words.methods}</legend>
        <p className="text-13 text-ink-soft">{words.methodsHelp}</p>
        <div className="mb-2">
          <CheckBox
            label={words.localFirst}
            isOn={document.localFirst === true}
            onChange={(isOn) => change(['localFirst'], isOn ? true : undefined)}
          />
          <SwitchOffOthers />
        </div>
        {fault !== undefined && <FaultLine>{fault}</FaultLine>}
        <ol className="flex flex-col gap-2">
          {document.methods.map((each, index) => (
            <MethodRow key={each.method} given={each} index={index} />
          ))}
        </ol>
      </fieldset>
      <Currencies />
    </div>
  )
}

/** Offered when several methods take none of the currencies that are left. */
function SwitchOffOthers() {
  const words = useWords(templateFieldWords)
  const { document, change } = useForm()
  const isOther = ({ method, enabled }: DraftMethod) =>
    enabled !== false && currenciesOf(method, document).length === 0
  if (document.methods.filter(isOther).length < 2) return null
  const switchOff = () =>
    change(
      ['methods'],
      document.methods.map((each) => (isOther(each) ? { ...each, enabled: false } : each)),
    )
  return <Button onClick={switchOff}>{words.switchOffOthers}</Button>
}

function FaultLine({ children }: { readonly children: string }) {
  return (
    <p role="alert" className="mb-2 flex items-start gap-1.5 text-13 text-bad">
      <Icon name="alert" className="mt-0.5" />
      {children}
    </p>
  )
}

type OfMethod = { readonly given: DraftMethod; readonly index: number }

function MethodRow({ given, index }: OfMethod) {
  const words = useWords(templateFieldWords)
  const states = useWords(stateWords)
  const { document, change } = useForm()
  const [isOpen, setOpen] = useState(false)
  const isOn = given.enabled !== false
  const label = states.method[given.method]
  const set = (more: Partial<DraftMethod>) => change(['methods', index], { ...given, ...more })
  // One method is highlighted at most.
  const highlight = (isHighlighted: boolean) =>
    change(
      ['methods'],
      document.methods.map((each, at) => ({ ...each, highlight: at === index && isHighlighted })),
    )
  const move = (by: -1 | 1) => {
    const methods = [...document.methods]
    const [moved] = methods.splice(index, 1)
    if (moved !== undefined) methods.splice(index + by, 0, moved)
    change(['methods'], methods)
  }
  const details = `method-${given.method}`
  return (
    <li className="rounded-control border border-line">
      <div className="flex flex-wrap items-center gap-1 py-1 pr-1 pl-3">
        <div className="min-w-0 flex-1">
          <CheckBox
            label={<span className="font-strong">{label}</span>}
            isOn={isOn}
            onChange={(enabled) => set({ enabled })}
          />
        </div>
        {isOn && (
          <span className="phone:order-last phone:basis-full">
            <Switch label={words.highlightOf(label)} isOn={given.highlight === true} onChange={highlight}>
              {words.highlight}
            </Switch>
          </span>
        )}
        <IconButton
          icon="down"
          className="rotate-180"
          label={words.up(label)}
          disabled={index === 0}
          onClick={() => move(-1)}
        />
        <IconButton
          icon="down"
          label={words.down(label)}
          disabled={index === document.methods.length - 1}
          onClick={() => move(1)}
        />
        {isOn && (
          <IconButton
            icon="settings"
            label={words.details(label)}
            aria-expanded={isOpen}
            aria-controls={details}
            onClick={() => setOpen(!isOpen)}
          />
        )}
      </div>
      {isOn && <MethodFault given={given} index={index} isOpen={isOpen} />}
      {isOn && isOpen && <Details id={details} given={given} index={index} />}
    </li>
  )
}

/** What is wrong with a method; where its details are open, they say it of their own fields. */
function MethodFault({ given, index, isOpen }: OfMethod & { readonly isOpen: boolean }) {
  const anywhere = useFault(['methods', index], true)
  const expiry = useFault(['expiry', given.method])
  const method = useFault(['methods', index, 'method'])
  const highlight = useFault(['methods', index, 'highlight'])
  const fault = isOpen ? (method ?? highlight) : (anywhere ?? expiry)
  return (
    fault !== undefined && (
      <div className="px-3 pb-1">
        <FaultLine>{fault}</FaultLine>
      </div>
    )
  )
}

/** The limits in each currency that the method takes, and the time to pay. */
function Details({ id, given, index }: OfMethod & { readonly id: string }) {
  const words = useWords(templateFieldWords)
  const { document } = useForm()
  return (
    <div id={id} className="flex flex-col gap-4 border-t border-line p-3">
      {currenciesOf(given.method, document).map((currency) => (
        <Limits key={currency} index={index} currency={currency} />
      ))}
      <NumberInput path={['expiry', given.method]} label={words.expiry} help={words.expiryHelp} scale={60} />
    </div>
  )
}

function Limits({ index, currency }: { readonly index: number; readonly currency: Currency }) {
  const words = useWords(templateFieldWords)
  const path = ['methods', index, 'limits', currency]
  const fault = useFault(path)
  return (
    <div>
      <div className="grid grid-cols-2 gap-3">
        <AmountInput path={[...path, 'min']} label={words.min(currency)} />
        <AmountInput path={[...path, 'max']} label={words.max(currency)} />
      </div>
      {fault !== undefined && (
        <div className="mt-1.5">
          <FaultLine>{fault}</FaultLine>
        </div>
      )}
    </div>
  )
}

function Currencies() {
  const words = useWords(templateFieldWords)
  const { document, change } = useForm()
  const fault = useFault(['currencies'], true)
  const { currencies: chosen } = document
  // Those that are chosen, in their order, then the others.
  const listed = [...chosen, ...currencies.filter((each) => !chosen.includes(each))]
  const toggle = (currency: Currency, isOn: boolean) =>
    change(['currencies'], isOn ? [...chosen, currency] : chosen.filter((each) => each !== currency))
  const first = (currency: Currency) =>
    change(['currencies'], [currency, ...chosen.filter((each) => each !== currency)])
  return (
    <fieldset>
      <legend className="text-13 font-strong">{words.currencies}</legend>
      <p className="mb-1 text-13 text-ink-soft">{words.currenciesHelp}</p>
      {fault !== undefined && <FaultLine>{fault}</FaultLine>}
      <ul className="flex flex-wrap gap-x-6">
        {listed.map((currency) => (
          <li key={currency} className="flex items-center gap-1">
            <CheckBox
              label={currency}
              isOn={chosen.includes(currency)}
              onChange={(isOn) => toggle(currency, isOn)}
            />
            {chosen.includes(currency) && chosen[0] !== currency && (
              <IconButton icon="left" label={words.up(currency)} onClick={() => first(currency)} />
            )}
          </li>
        ))}
      </ul>
    </fieldset>
  )
}

// What the page asks its payer for, its texts in each language, and its links.

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
