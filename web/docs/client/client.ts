// What a page does with scripts: search, copying code, choosing the theme. Without them it is complete to read.
import { fillInSamples } from './own.ts'
import { openSearch } from './search.ts'

openSearch()
addCopyButtons()
keepLanguage()
void fillInSamples()
openTheme()

/** Without https and beyond this machine a browser gives a page no clipboard. */
function addCopyButtons(): void {
  if (!isSecureContext) return
  for (const block of document.querySelectorAll<HTMLElement>('.code')) {
    const button = document.createElement('button')
    button.textContent = 'Copy'
    button.addEventListener('click', () => void copy(block, button))
    block.append(button)
  }
}

async function copy(block: HTMLElement, button: HTMLButtonElement): Promise<void> {
  const text = block.querySelector('code')?.textContent ?? ''
  const said = await navigator.clipboard.writeText(text).then(
    () => 'Copied',
    () => 'Not copied',
  )
  button.textContent = said
  setTimeout(() => (button.textContent = 'Copy'), 2_000)
}

/** A language that is chosen in one sample is chosen in all, and this device keeps the choice. */
function keepLanguage(): void {
  const choose = (language: string) => {
    for (const input of document.querySelectorAll<HTMLInputElement>('.languages input'))
      if (input.value === language) input.checked = true
  }
  try {
    choose(localStorage.getItem('vintem-language') ?? '')
  } catch {
    // Then each page begins with the first language.
  }
  document.addEventListener('change', ({ target }) => {
    if (!(target instanceof HTMLInputElement) || target.closest('.languages') === null) return
    // The place where the reader looks stays: blocks above it may change their height.
    const before = target.getBoundingClientRect().top
    choose(target.value)
    scrollBy({ top: target.getBoundingClientRect().top - before, behavior: 'instant' })
    try {
      localStorage.setItem('vintem-language', target.value)
    } catch {
      // Then it holds for this page.
    }
  })
}

/** The button changes to the other theme than the present one, and this device keeps the choice. */
function openTheme(): void {
  const button = document.querySelector<HTMLButtonElement>('button.theme')
  if (button === null) return
  const { dataset } = document.documentElement
  const system = matchMedia('(prefers-color-scheme: dark)')
  const isDark = () => (dataset['theme'] ?? (system.matches ? 'dark' : 'light')) === 'dark'
  const show = () => {
    button.textContent = isDark() ? 'Light' : 'Dark'
    button.ariaLabel = isDark() ? 'Use the light theme' : 'Use the dark theme'
  }
  button.addEventListener('click', () => {
    const theme = isDark() ? 'light' : 'dark'
    dataset['theme'] = theme
    try {
      localStorage.setItem('vintem-theme', theme)
    } catch {
      // Then it holds for this page.
    }
    show()
  })
  system.addEventListener('change', show)
  show()
  button.hidden = false
}
