// Support, legal links, languages, and a small line with our name.
import type { PageState } from '#/checkout/page-state.ts'
import { wordsOf } from '../words.ts'
import { offersHelp } from './return.tsx'
import { asWritten, Said } from './said.tsx'

export function Footer({ state }: { readonly state: PageState }) {
  const { support, legal, languages } = state
  const links = support === undefined || offersHelp(state) ? legal : [support, ...legal]
  return (
    <footer class="foot">
      <div class="column">
        {links.length > 0 && (
          <p class="links">
            {links.map(({ label, url }) => (
              <a key={url} href={url}>
                <Said state={state} text={label} />
              </a>
            ))}
          </p>
        )}
        {languages.length > 1 && (
          <nav class="languages" aria-label={wordsOf(state).languages}>
            {languages.map(({ code, name, url, isCurrent }) => (
              <a
                key={code}
                href={url}
                lang={code}
                {...asWritten}
                hreflang={code}
                {...(isCurrent ? { 'aria-current': 'true' } : {})}
              >
                {name}
              </a>
            ))}
          </nav>
        )}
        <p class="ours" {...asWritten}>
          <svg viewBox="0 0 32 32" width="16" height="16" aria-hidden="true">
            <circle cx="16" cy="16" r="15" />
            <path d="M10.5 11l5.5 11 5.5-11" />
          </svg>
          Vintem
        </p>
      </div>
    </footer>
  )
}
