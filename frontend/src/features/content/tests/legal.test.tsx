import { screen, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { LANGUAGES } from '@/i18n/languages'
import DataProcessingPage from '../DataProcessingPage'
import PrivacyPage from '../PrivacyPage'
import { renderIn } from './in-language'

const cases = LANGUAGES.flatMap((language) => [
  { language, name: 'privacy', page: <PrivacyPage />, others: ['/agreement', '/data-processing'] },
  { language, name: 'processing', page: <DataProcessingPage />, others: ['/agreement', '/privacy'] },
])

describe.each(cases)('$name in $language', ({ language, page, others }) => {
  it('has eight sections, and a contents list that leads there', async () => {
    await renderIn(language, page)
    const regions = screen.getAllByRole('region')
    expect(regions).toHaveLength(8)
    for (const region of regions) expect(region.querySelectorAll('p').length).toBeGreaterThanOrEqual(3)
    const links = within(screen.getByRole('navigation')).getAllByRole('link')
    expect(links.map((link) => link.getAttribute('href'))).toEqual(regions.map(({ id }) => `#${id}`))
    expect(document.body.textContent).not.toMatch(/sections\.|clauses/)
  })

  it('marks what a lawyer has to complete, and says so', async () => {
    await renderIn(language, page)
    const marks = [...document.querySelectorAll('section mark')].map(({ textContent }) => textContent)
    expect(marks.length).toBeGreaterThanOrEqual(7)
    for (const mark of marks) expect(mark).toMatch(/^\[[^\]]+\]$/)
    expect(screen.getAllByRole('note')[0]!.querySelector('mark')).toBeVisible()
  })

  it('leads to the other documents', async () => {
    await renderIn(language, page)
    const last = screen.getAllByRole('list').at(-1)!
    expect(
      within(last)
        .getAllByRole('link')
        .map((link) => link.getAttribute('href')),
    ).toEqual(others)
  })
})
