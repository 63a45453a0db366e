// Names, logo, colour, corners, font and theme.
import { useRef } from 'react'
import { useMerchant } from '../../api/session.ts'
import { Button } from '../../kit/button.tsx'
import { Field, inputClass } from '../../kit/field.tsx'
import { Icon } from '../../kit/icons.tsx'
import { useReader, useWords } from '../../words/reader.ts'
import { templateFieldWords } from '../../words/template-fields.ts'
import { templateWords } from '../../words/templates.ts'
import { SelectInput, TextInput, useFault, useForm } from './form.tsx'
import { fonts, themes } from './model.ts'

export function BrandPart() {
  const words = useWords(templateFieldWords)
  const { name: merchant } = useMerchant()
  return (
    <div className="flex flex-col gap-5">
      <TextInput path={['name']} label={words.name} help={words.nameHelp} isNeeded />
      <TextInput
        path={['brand', 'displayName']}
        label={words.displayName}
        help={words.displayNameHelp(merchant)}
        placeholder={merchant}
      />
      <Logo />
      <Accent />
      <Radius />
      <div className="grid gap-5 sm:grid-cols-2">
        <SelectInput
          path={['brand', 'font']}
          label={words.font}
          options={fonts.map((value) => ({ value, label: words.fonts[value] }))}
        />
        <SelectInput
          path={['brand', 'theme']}
          label={words.theme}
          options={themes.map((value) => ({ value, label: words.themes[value] }))}
        />
      </div>
    </div>
  )
}

/** The most that the draft keeps: the server refuses files above 64 KiB and says so, and this holds such a file too. */
const keptBytesMax = 180_000

function Logo() {
  const words = useWords(templateFieldWords)
  const { document, change } = useForm()
  const fault = useFault(['brand', 'logo'])
  const chooser = useRef<HTMLInputElement>(null)
  const { logo } = document.brand
  const choose = async (file: File | undefined) => {
    if (file === undefined) return
    // A larger file is cut: the server then says that it is too large.
    change(['brand', 'logo'], await dataUrlOf(file.slice(0, keptBytesMax, file.type)))
  }
  return (
    <Field label={words.logo} help={words.logoHelp} fault={fault}>
      {(attributes) => (
        <div className="flex flex-wrap items-center gap-3">
          {logo !== undefined && (
            <img
              src={logo}
              alt=""
              className="h-12 max-w-40 rounded-small border border-line bg-inset object-contain p-1"
            />
          )}
          <input
            {...attributes}
            ref={chooser}
            type="file"
            accept="image/png,image/jpeg,image/webp"
            tabIndex={-1}
            className="aside"
            onChange={(event) => {
              void choose(event.target.files?.[0])
              event.target.value = ''
            }}
          />
          <Button onClick={() => chooser.current?.click()}>{words.logoChoose}</Button>
          {logo !== undefined && (
            <Button variant="quiet" onClick={() => change(['brand', 'logo'], undefined)}>
              {words.logoRemove}
            </Button>
          )}
        </div>
      )}
    </Field>
  )
}

function dataUrlOf(file: Blob): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const reader = new FileReader()
  reader.addEventListener('load', () => resolve(typeof reader.result === 'string' ? reader.result : ''))
  reader.addEventListener('error', () => reject(reader.error ?? new Error('the file cannot be read')))
  reader.readAsDataURL(file)
  return promise
}

function Accent() {
  const words = useWords(templateFieldWords)
  const { document, change } = useForm()
  const fault = useFault(['brand', 'colors', 'accent'])
  const { accent } = document.brand.colors
  const path = ['brand', 'colors', 'accent']
  const write = (value: string) => change(path, value)
  return (
    <div className="flex flex-col gap-2">
      <Field label={words.accent} help={words.accentHelp} fault={fault}>
        {(attributes) => (
          <div className="flex gap-2">
            <input
              type="color"
              aria-label={words.accentPick}
              value={/^#[0-9a-f]{6}$/i.test(accent) ? accent : '#888888'}
              onChange={(event) => write(event.target.value)}
              className="h-10 w-12 shrink-0 cursor-pointer rounded-control border border-edge/60 bg-card p-1 phone:h-11"
            />
            <input
              {...attributes}
              value={accent}
              onChange={(event) => write(event.target.value.trim())}
              autoComplete="off"
              spellCheck={false}
              className={`${inputClass} font-mono text-13!`}
            />
          </div>
        )}
      </Field>
      <Contrast />
    </div>
  )
}

/** Where the colour is hard to see, and what the page shows instead. */
function Contrast() {
  const words = useWords(templateWords)
  const { warnings } = useForm()
  const { locale } = useReader()
  const ratioOf = (ratio: number) => new Intl.NumberFormat(locale, { maximumFractionDigits: 1 }).format(ratio)
  return (
    <ul aria-live="polite" className="flex flex-col gap-1.5">
      {warnings.map(({ code, scheme, ratio, shade }) => (
        <li
          key={scheme}
          className="flex items-start gap-2 rounded-control bg-wait-tint px-3 py-2 text-13 text-wait"
        >
          <Icon name="alert" className="mt-0.5" />
          <span className="min-w-0 flex-1">
            {(code === 'text_contrast' ? words.warnText : words.warnEdge)(
              words.onScheme[scheme],
              ratioOf(ratio),
              shade,
            )}
          </span>
          <span
            aria-hidden="true"
            className="mt-0.5 size-4 shrink-0 rounded-small border border-line"
            style={{ background: shade }}
          />
        </li>
      ))}
    </ul>
  )
}

function Radius() {
  const words = useWords(templateFieldWords)
  const { document, change } = useForm()
  const fault = useFault(['brand', 'radius'])
  const { radius } = document.brand
  return (
    <Field label={words.radius} fault={fault}>
      {(attributes) => (
        <div className="flex min-h-9 items-center gap-3">
          <input
            {...attributes}
            type="range"
            min={0}
            max={24}
            value={radius}
            onChange={(event) => change(['brand', 'radius'], Number(event.target.value))}
            className="min-w-0 flex-1 accent-accent"
          />
          <span className="figures w-12 text-right text-13 text-ink-soft">{radius} px</span>
        </div>
      )}
    </Field>
  )
}
