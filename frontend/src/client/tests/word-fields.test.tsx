import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { beforeEach, describe, expect, it } from 'vitest'
import { renderWithProviders } from '@/testing/render'
import { ok, serve } from '@/testing/server'
import { NO_WORDS, WordFields } from '../WordFields'

function Form() {
  const [words, setWords] = useState(NO_WORDS)
  return <WordFields label="Six words" value={words} onChange={setWords} />
}

const field = (number: number) => screen.findByRole('combobox', { name: `Word ${number}` })
const choices = () => [...document.querySelectorAll('datalist option')].map((option) => option.getAttribute('value'))

beforeEach(() => {
  serve({ 'GET /api/words': () => ok(['abandon', 'ability', 'able', 'about', 'zoo']) })
})

describe('WordFields', () => {
  it('offers the words that begin with what was typed', async () => {
    renderWithProviders(<Form />)
    await userEvent.type(await field(1), 'ab')
    await waitFor(() => expect(choices()).toEqual(['abandon', 'ability', 'able', 'about']))
    await userEvent.type(await field(1), 'o')
    expect(choices()).toEqual(['about'])
  })

  it('completes a word of four letters with the space after it and goes to the next field', async () => {
    renderWithProviders(<Form />)
    await userEvent.type(await field(1), 'zo')
    await waitFor(() => expect(choices()).toEqual(['zoo']))
    await userEvent.clear(await field(1))
    await userEvent.type(await field(1), 'aban zoo')
    expect(await field(1)).toHaveValue('abandon')
    expect(await field(2)).toHaveValue('zoo')
    expect(await field(2)).toHaveFocus()
  })

  it('spreads a pasted line over the fields', async () => {
    renderWithProviders(<Form />)
    await userEvent.click(await field(1))
    await userEvent.paste('Zoo able-about zoo zoo ABLE more')
    expect(await field(1)).toHaveValue('zoo')
    expect(await field(3)).toHaveValue('about')
    expect(await field(6)).toHaveValue('able')
  })
})
