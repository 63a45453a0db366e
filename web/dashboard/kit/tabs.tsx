// Tabs that switch what is below them, by Base UI. For places with addresses of their own use links.
import { Tabs as Base } from '@base-ui/react/tabs'
import type { ReactNode } from 'react'

export type Tab = {
  readonly value: string
  readonly label: string
  readonly count?: number
  readonly content: ReactNode
}

export function Tabs({
  tabs,
  label,
  value,
  onChange,
}: {
  readonly tabs: readonly Tab[]
  readonly label: string
  readonly value?: string | undefined
  readonly onChange?: (value: string) => void
}) {
  return (
    <Base.Root
      {...(value === undefined ? { defaultValue: tabs[0]?.value } : { value })}
      onValueChange={(next) => onChange?.(String(next))}
    >
      <Base.List aria-label={label} className="flex gap-5 overflow-x-auto border-b border-line">
        {tabs.map((tab) => (
          <Base.Tab
            key={tab.value}
            value={tab.value}
            className="-mb-px min-h-10 border-b-2 border-transparent text-13 font-strong whitespace-nowrap text-ink-soft transition-colors duration-150 hover:text-ink data-active:border-accent data-active:text-ink phone:min-h-11"
          >
            {tab.label}
            {tab.count !== undefined && tab.count > 0 && (
              <span className="figures ml-1.5 font-normal text-ink-soft">{tab.count}</span>
            )}
          </Base.Tab>
        ))}
      </Base.List>
      {tabs.map((tab) => (
        <Base.Panel key={tab.value} value={tab.value} className="pt-4 outline-offset-4">
          {tab.content}
        </Base.Panel>
      ))}
    </Base.Root>
  )
}
