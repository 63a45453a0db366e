// In a sandbox: the developer plays the payer.
import type { PageState } from '#/checkout/page-state.ts'
import { PostForm } from './post-form.tsx'

export function Simulate({ state: { simulation } }: { readonly state: PageState }) {
  if (simulation === undefined) return null
  const { label, url, acts } = simulation
  return (
    <details class="simulate">
      <summary>{label}</summary>
      <PostForm class="simulate-acts" action={url}>
        {(pressed) =>
          acts.map(({ name, label: text }) => (
            <button key={name} name="act" value={name} aria-busy={pressed === name}>
              {text}
            </button>
          ))
        }
      </PostForm>
    </details>
  )
}
