// What the payment is for: a line for each item. Many are folded, and unfold without a script.
import type { PageItems } from '#/checkout/page-state.ts'
import { Icon } from './icons.tsx'
import { asWritten } from './said.tsx'

export function Items({ items: { label, isFolded, lines } }: { readonly items: PageItems }) {
  const list = (
    // Safari announces a list without bullets as a list only with this role.
    <ul class="items" role="list" aria-label={label}>
      {lines.map(({ name, each, total }, index) => (
        <li key={index} class="item">
          <span class="item-name">
            {/* A name in another direction must not turn the amounts around. */}
            <bdi>{name}</bdi>
            {each !== undefined && (
              <span class="item-each" {...asWritten}>
                {' '}
                {each}
              </span>
            )}
          </span>
          <span class="item-total" {...asWritten}>
            {total}
          </span>
        </li>
      ))}
    </ul>
  )
  if (!isFolded) return list
  return (
    <details class="folded">
      <summary>
        {label}
        <Icon name="chevron" size={18} />
      </summary>
      {list}
    </details>
  )
}
