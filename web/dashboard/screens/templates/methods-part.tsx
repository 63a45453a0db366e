// The methods in their order, with limits and times, and the currencies.
import { useState } from 'react'
import { currencies, type Currency } from '../../api/generated.ts'
import { IconButton } from '../../kit/button.tsx'
import { Icon } from '../../kit/icons.tsx'
import { useWords } from '../../words/reader.ts'
import { stateWords } from '../../words/states.ts'
import { templateFieldWords } from '../../words/template-fields.ts'
import { AmountInput, CheckBox, NumberInput, useFault, useForm } from './form.tsx'
import type { DraftMethod } from './model.ts'

export function MethodsPart() {
  const words = useWords(templateFieldWords)
  const { document } = useForm()
  const fault = useFault(['methods'])
  return (
    <div className="flex flex-col gap-5">
      <fieldset>
        <legend className="text-13 font-strong">{words.methods}</legend>
        <p className="mb-2 text-13 text-ink-soft">{words.methodsHelp}</p>
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

function FaultLine({ children }: { readonly children: string }) {
  return (
    <p role="alert" className="mb-2 flex items-start gap-1.5 text-13 text-bad">
      <Icon name="alert" className="mt-0.5" />
      {children}
    </p>
  )
}

function MethodRow({ given, index }: { readonly given: DraftMethod; readonly index: number }) {
  const words = useWords(templateFieldWords)
  const states = useWords(stateWords)
  const { document, change } = useForm()
  const fault = useFault(['methods', index], true)
  const expiryFault = useFault(['expiry', given.method])
  const [isOpen, setOpen] = useState(false)
  const isOn = given.enabled !== false
  const label = states.method[given.method]
  const set = (more: Partial<DraftMethod>) => change(['methods', index], { ...given, ...more })
  const move = (by: -1 | 1) => {
    const methods = [...document.methods]
    const [moved] = methods.splice(index, 1)
    if (moved !== undefined) methods.splice(index + by, 0, moved)
    change(['methods'], methods)
    // An order that a person chose is kept.
    change(['localFirst'], undefined)
  }
  const details = `method-${given.method}`
  return (
    <li className="rounded-control border border-line">
      <div className="flex items-center gap-1 py-1 pr-1 pl-3">
        <div className="min-w-0 flex-1">
          <CheckBox
            label={<span className="font-strong">{label}</span>}
            isOn={isOn}
            onChange={(enabled) => set({ enabled })}
          />
        </div>
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
      {isOn && !isOpen && (fault ?? expiryFault) !== undefined && (
        <div className="px-3 pb-1">
          <FaultLine>{fault ?? expiryFault ?? ''}</FaultLine>
        </div>
      )}
      {isOn && isOpen && <Details id={details} given={given} index={index} />}
    </li>
  )
}

/** The highlight, the limits in each currency, and the time to pay. */
function Details({
  id,
  given,
  index,
}: {
  readonly id: string
  readonly given: DraftMethod
  readonly index: number
}) {
  const words = useWords(templateFieldWords)
  const { document, change } = useForm()
  return (
    <div id={id} className="flex flex-col gap-4 border-t border-line p-3">
      <CheckBox
        label={words.highlight}
        isOn={given.highlight === true}
        onChange={(highlight) => change(['methods', index], { ...given, highlight })}
      />
      {document.currencies.map((currency) => (
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
