import { act, render } from '@testing-library/react'
import { Suspense, type ReactElement } from 'react'
import { MemoryRouter } from 'react-router'
import { changeLanguage, type Language } from '@/i18n/i18n'

/** Public pages stand in a router and nothing else, so their tests do too. */
export async function renderIn(language: Language, page: ReactElement): Promise<void> {
  await act(() => changeLanguage(language))
  render(
    <MemoryRouter>
      <Suspense fallback={null}>{page}</Suspense>
    </MemoryRouter>,
  )
}
