// Which types of events: all, or some of the list.
import { webhookEndpointEventTypes, type EventType } from '../../api/generated.ts'
import { RadioCards, WrongText, type Wrong, Check } from '../../kit/field.tsx'
import { Icon } from '../../kit/icons.tsx'
import { useWords } from '../../words/reader.ts'
import { webhookWords } from '../../words/webhooks.ts'

/** The types that an endpoint can choose. */
export const subscribableTypes = webhookEndpointEventTypes.filter((type) => type !== '*')

/** Those of these types that an endpoint can choose. */
export function subscribableOf(types: readonly EventType[]) {
  return subscribableTypes.filter((type) => types.includes(type))
}

/** `undefined`: all. */
export type Types = readonly EventType[] | undefined

export function TypePicker({
  value,
  fault,
  offered = subscribableTypes,
  allHelp,
  onChange,
}: {
  readonly value: Types
  readonly fault?: Wrong
  readonly offered?: readonly EventType[]
  /** What "all" means here. */
  readonly allHelp: string
  readonly onChange: (value: Types) => void
}) {
  const words = useWords(webhookWords)
  return (
    <div className="flex flex-col gap-2">
      <RadioCards
        legend={words.types}
        value={value === undefined ? 'all' : 'some'}
        onChange={(next) => onChange(next === 'all' ? undefined : [])}
        options={[
          { value: 'all', label: words.typesAll, help: allHelp },
          { value: 'some', label: words.typesSome, help: words.typesSomeHelp },
        ]}
      />
      {value !== undefined && (
        <div
          role="group"
          aria-label={words.typesSome}
          className="grid max-h-60 grid-cols-1 gap-x-4 overflow-y-auto rounded-control border border-line px-3 py-1.5 sm:grid-cols-2"
        >
          {offered.map((type) => (
            <Check
              key={type}
              checked={value.includes(type)}
              onChange={(isOn) =>
                onChange(offered.filter((each) => (each === type ? isOn : value.includes(each))))
              }
            >
              {type}
            </Check>
          ))}
        </div>
      )}
      {fault !== undefined && (
        <p className="flex items-start gap-1.5 text-13 text-bad" role="alert">
          <Icon name="alert" className="mt-0.5" />
          <WrongText fault={fault} />
        </p>
      )}
    </div>
  )
}
