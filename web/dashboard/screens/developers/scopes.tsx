// What a key may do: ticked by resource, and shown by resource.
import { useId } from 'react'
import { scopes, type Scope } from '../../api/generated.ts'
import { Button } from '../../kit/button.tsx'
import { WrongText, type Wrong, Check } from '../../kit/field.tsx'
import { Icon } from '../../kit/icons.tsx'
import { keyWords } from '../../words/keys.ts'
import { useWords } from '../../words/reader.ts'

const resources = [
  'payments',
  'wallets',
  'withdrawals',
  'webhooks',
  'requests',
  'keys',
  'subaccounts',
  'sandbox',
] as const
type Resource = (typeof resources)[number]

function partsOf(scope: Scope): { readonly resource: Resource; readonly right: Right } {
  const [resource = '', right = 'use'] = scope.split(':')
  return {
    resource: resources.find((each) => each === resource) ?? 'sandbox',
    right: rights.find((each) => each === right) ?? 'use',
  }
}
const rights = ['read', 'write', 'approve', 'act', 'use'] as const
type Right = (typeof rights)[number]

/** `offered`: those that may be given. */
export function ScopePicker({
  offered,
  value,
  fault,
  onChange,
}: {
  readonly offered: readonly Scope[]
  readonly value: readonly Scope[]
  readonly fault?: Wrong
  readonly onChange: (value: readonly Scope[]) => void
}) {
  const words = useWords(keyWords)
  const titleId = useId()
  const put = (scope: Scope, isOn: boolean) =>
    onChange(scopes.filter((each) => (each === scope ? isOn : value.includes(each))))
  return (
    <div role="group" aria-labelledby={titleId} className="flex flex-col">
      <div className="mb-1 flex flex-wrap items-center justify-between gap-x-3">
        <span id={titleId} className="text-13 font-strong">
          {words.rights}
        </span>
        <span className="-mr-3 flex flex-wrap">
          <Button variant="quiet" onClick={() => onChange(offered)}>
            {words.all}
          </Button>
          <Button
            variant="quiet"
            onClick={() => onChange(offered.filter((scope) => scope.endsWith(':read')))}
          >
            {words.onlyRead}
          </Button>
        </span>
      </div>
      <div className="rounded-control border border-line">
        {resources.map((resource) => {
          const ofResource = offered.filter((scope) => partsOf(scope).resource === resource)
          if (ofResource.length === 0) return null
          return (
            <div
              key={resource}
              className="flex flex-wrap items-center justify-between gap-x-4 border-b border-line px-3 py-1.5 last:border-0"
            >
              <span className="min-w-0 text-13">
                <span className="block font-strong">{words.resource[resource]}</span>
                <span className="block text-ink-soft">{words.resourceHelp[resource]}</span>
              </span>
              <span className="flex flex-wrap gap-x-4">
                {ofResource.map((scope) => (
                  <ScopeCheck key={scope} scope={scope} isOn={value.includes(scope)} onChange={put} />
                ))}
              </span>
            </div>
          )
        })}
      </div>
      {fault === undefined ? (
        <p className="mt-1.5 text-13 text-ink-soft">{words.rightsHelp}</p>
      ) : (
        <p className="mt-1.5 flex items-start gap-1.5 text-13 text-bad" role="alert">
          <Icon name="alert" className="mt-0.5" />
          <WrongText fault={fault} />
        </p>
      )}
    </div>
  )
}

function ScopeCheck({
  scope,
  isOn,
  onChange,
}: {
  readonly scope: Scope
  readonly isOn: boolean
  readonly onChange: (scope: Scope, isOn: boolean) => void
}) {
  const words = useWords(keyWords)
  const { resource, right } = partsOf(scope)
  return (
    <Check
      label={`${words.resource[resource]}: ${words.right[right]}`}
      checked={isOn}
      onChange={(next) => onChange(scope, next)}
    >
      {words.right[right]}
    </Check>
  )
}

export function ScopeList({ value }: { readonly value: readonly Scope[] }) {
  const words = useWords(keyWords)
  return (
    <ul className="flex flex-col">
      {resources.map((resource) => {
        const ofResource = value.filter((scope) => partsOf(scope).resource === resource)
        if (ofResource.length === 0) return null
        return (
          <li
            key={resource}
            className="flex min-h-9 flex-wrap items-center justify-between gap-x-4 border-b border-line py-1.5 text-13 last:border-0"
          >
            <span className="min-w-0">
              {words.resource[resource]}{' '}
              <span className="text-ink-soft">· {words.resourceHelp[resource]}</span>
            </span>
            <span className="font-strong">
              {ofResource.map((scope) => words.right[partsOf(scope).right]).join(', ')}
            </span>
          </li>
        )
      })}
    </ul>
  )
}
