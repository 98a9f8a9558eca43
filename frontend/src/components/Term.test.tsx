import { fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { LANGUAGES } from '@/i18n/languages'
import { TERM_MARK } from '@/i18n/i18n'
import { Term, TERMS } from './Term'

type Explained = { question: string; sentence: string }

const texts = import.meta.glob<Record<string, Explained>>('../i18n/locales/*/terms.json', {
  eager: true,
  import: 'default',
})
const sources = import.meta.glob<string>(['../features/**/*.tsx', '../client/**/*.tsx', '!../**/*.test.tsx'], {
  eager: true,
  import: 'default',
  query: '?raw',
})
const sourcesIn = (folder: string) =>
  Object.entries(sources)
    .filter(([path]) => path.startsWith(folder))
    .map(([, source]) => source)
    .join('')

const question = () => screen.getByRole('button', { name: 'What is a pack?' })
const tip = () => screen.queryByRole('tooltip', { hidden: true })

describe.each(LANGUAGES)('the terms in %s', (language) => {
  it('are asked for in a question and explained in one sentence', () => {
    const terms = texts[`../i18n/locales/${language}/terms.json`] ?? {}
    expect(Object.keys(terms)).toEqual([...TERMS])
    for (const { question, sentence } of Object.values(terms)) {
      expect(question).toMatch(/^[^?؟]+[?؟]$/)
      expect(sentence).toMatch(/^[^.!?؟]+\.$/)
    }
  })
})

describe('Term', () => {
  it.each(TERMS)('explains %s on a screen', (name) => {
    expect(sourcesIn('../')).toContain(`<Term name="${name}"`)
  })

  it.each(['pack', 'piece', 'spare', 'sixWords'])('explains %s on the screens of the client too', (name) => {
    expect(sourcesIn('../client/')).toContain(`<Term name="${name}"`)
  })

  it('puts the question mark behind the word', () => {
    const { container } = render(<Term name="pack">{`12 packs${TERM_MARK} are stored.`}</Term>)
    expect(question().compareDocumentPosition(container.lastChild!)).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
    expect(container.firstChild).toHaveTextContent('12 packs')
    expect(container.lastChild).toHaveTextContent('are stored.')
    expect(question()).toHaveAccessibleDescription(/^A pack is /)
  })

  it('opens with a click and with the keyboard, and closes with Escape alone', async () => {
    render(<Term name="pack">12 packs</Term>)
    await userEvent.click(question())
    expect(tip()).toHaveTextContent(/^A pack is /)
    // Unless it is prevented, the dialog around it closes as well.
    expect(fireEvent.keyDown(question(), { key: 'Escape' })).toBe(false)
    expect(tip()).toBeNull()
    await userEvent.keyboard('{Enter}')
    expect(tip()).toHaveTextContent(/^A pack is /)
  })
})
