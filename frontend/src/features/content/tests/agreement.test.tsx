import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import { i18n, LANGUAGES, type Language } from '@/i18n/i18n'
import AgreementPage, { sections } from '../AgreementPage'
import { renderIn } from './in-language'

const titles: Record<Language, string> = { en: 'User Agreement', tr: 'Kullanıcı Sözleşmesi', ar: 'اتفاقية المستخدم' }

/** Turkish writes one and a half with a comma. */
const lateCharge: Record<Language, string> = { en: '1.5%', tr: '%1,5', ar: '1.5%' }

function textOf(section: string): string {
  return document.getElementById(section)?.textContent ?? ''
}

function numbersIn(text: string): string[] {
  return text.match(/\d+(?:[.,]\d+)?/g) ?? []
}

describe.each(LANGUAGES)('the agreement in %s', (language) => {
  // Specification: 2.19, 2.94
  it('has its ten sections, each of several clauses, and a contents list that leads there', async () => {
    await renderIn(language, <AgreementPage />)
    expect(screen.getByRole('heading', { level: 1, name: titles[language] })).toBeVisible()
    expect(sections).toHaveLength(10)
    const links = within(screen.getByRole('navigation')).getAllByRole('link')
    expect(links.map((link) => link.getAttribute('href'))).toEqual(sections.map((section) => `#${section}`))
    const t = i18n.getFixedT(language, 'agreement')
    const regions = screen.getAllByRole('region')
    expect(regions.map((region) => region.id)).toEqual(sections)
    regions.forEach((region, index) => {
      expect(region).toHaveAccessibleName(`${index + 1} ${t(`sections.${region.id}.title`)}`)
      expect(region.querySelectorAll('p').length).toBeGreaterThanOrEqual(4)
      expect(region.textContent.length).toBeGreaterThan(600)
    })
  })

  // Specification: 9.28, 9.29, 9.30, 9.31, 9.32, 9.33
  it('holds the terms of payment and liability', async () => {
    await renderIn(language, <AgreementPage />)
    const payments = textOf('payments')
    for (const term of ['750', '30', '7', '21', '90', '14']) expect(numbersIn(payments)).toContain(term)
    expect(payments).toContain(lateCharge[language])
    expect(numbersIn(textOf('liability').replaceAll('US$', ' '))).toContain('100')
  })

  it('shows its version and date', async () => {
    await renderIn(language, <AgreementPage />)
    const version = {
      en: 'Version 1.0, effective November 16, 2026',
      tr: 'Sürüm 1.0, yürürlük tarihi 16 Kasım 2026',
      ar: 'الإصدار 1.0، يسري من 16 نوفمبر 2026',
    }
    expect(screen.getByText(version[language])).toBeVisible()
  })

  // Specification: 1.5
  it('points to the clause on the passphrase', async () => {
    await renderIn(language, <AgreementPage />)
    const link = screen.getByRole('link', { name: /5\.3/ })
    const clause = document.querySelector(link.getAttribute('href')!)
    expect(clause).toHaveTextContent(
      { en: 'We cannot view, reset or recover', tr: 'kurtaramayız', ar: 'ولا استعادتها' }[language],
    )
  })

  it(language === 'en' ? 'needs no note on translation' : 'says that its translation awaits review', async () => {
    await renderIn(language, <AgreementPage />)
    const note = screen.queryByRole('note')
    if (language === 'en') expect(note).not.toBeInTheDocument()
    else
      expect(note).toHaveTextContent({ tr: 'İngilizce metin esas alınır', ar: 'النص الإنجليزي هو المعتمد' }[language])
  })
})

// Specification: 1.5, 2.94, 9.34
it('names the sections of the specification, and that nothing is refunded', async () => {
  await renderIn('en', <AgreementPage />)
  expect(screen.getAllByRole('region').map((region) => region.querySelector('h2')?.lastChild?.textContent)).toEqual([
    'Terms of service',
    'Legal notices',
    'General',
    'Electronic communications consent',
    'Account',
    'Use restrictions and indemnification',
    'Limitation of liability',
    'Export control',
    'Intellectual property',
    'Payments and refunds',
  ])
  expect(textOf('account')).toContain('If it is lost, the archived data is unrecoverable')
  expect(textOf('payments')).toContain('The services are non-refundable.')
})

it('prints', async () => {
  const print = vi.spyOn(window, 'print').mockImplementation(() => undefined)
  await renderIn('en', <AgreementPage />)
  await userEvent.click(screen.getByRole('button', { name: 'Print' }))
  expect(print).toHaveBeenCalledOnce()
})
