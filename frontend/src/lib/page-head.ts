import { directionOf, isLanguage, LANGUAGE_NAMES, LANGUAGES } from '@/i18n/languages'
import { make } from './dom'
import { browserLanguage, currentLanguage, setLanguage } from './page-texts'

/** Language and theme as the browser has them. */
export function followBrowser(): void {
  setLanguage(browserLanguage())
  const isDark = matchMedia('(prefers-color-scheme: dark)').matches
  document.documentElement.dataset.theme = isDark ? 'dark' : 'light'
}

/** The top of a page that is one file: the mark, a note, and the choice of language and theme. */
export function pageHead(
  labels: { language: string; theme: string },
  note: string,
  onLanguage: () => void,
): HTMLElement {
  document.documentElement.lang = currentLanguage()
  document.documentElement.dir = directionOf(currentLanguage())
  const language = make('select', { 'aria-label': labels.language })
  for (const value of LANGUAGES) {
    const option = make('option', { value, lang: value }, LANGUAGE_NAMES[value])
    option.selected = value === currentLanguage()
    language.append(option)
  }
  language.addEventListener('change', () => {
    if (isLanguage(language.value)) setLanguage(language.value)
    onLanguage()
  })
  const theme = make('button', { type: 'button', 'aria-label': labels.theme }, '◐')
  theme.addEventListener('click', () => {
    const { dataset } = document.documentElement
    dataset.theme = dataset.theme === 'dark' ? 'light' : 'dark'
  })
  const logo = make('span', { class: 'logo', 'aria-hidden': 'true' }, ...[1, 2, 3, 4].map(() => make('i')))
  const beside = note ? make('span', { class: 'pill' }, note) : make('span', { class: 'gap' })
  return make('header', { class: 'top' }, logo, make('b', {}, 'Tessera'), beside, language, theme)
}
