import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { describe, expect, it, vi } from 'vitest'
import { renderWithProviders } from '@/testing/render'
import { CodeField, digitsOf } from '../CodeField'

function Holder({ onComplete }: { onComplete: (code: string) => void }) {
  const [code, setCode] = useState('')
  return <CodeField value={code} onChange={setCode} onComplete={onComplete} />
}

describe('digitsOf', () => {
  it.each([
    ['123 456', '123456'],
    ['Your code: 12-34-56.', '123456'],
    ['١٢٣٤٥٦', '123456'],
    ['۱۲۳۴۵۶', '123456'],
    ['12a', '12'],
    ['1234567', '123456'],
  ])('reads %s as %s', (text, digits) => {
    expect(digitsOf(text)).toBe(digits)
  })
})

describe('CodeField', () => {
  // Specification: 5.7
  it('is one field that phones and password managers know', () => {
    renderWithProviders(<Holder onComplete={vi.fn()} />)
    const field = screen.getByRole('textbox', { name: 'Verification code' })
    expect(field).toHaveAttribute('autocomplete', 'one-time-code')
    expect(field).toHaveAttribute('inputmode', 'numeric')
    expect(field).toHaveAttribute('dir', 'ltr')
    expect(field).toHaveAccessibleDescription('Code should be 6 digit long')
  })

  // Specification: 5.7
  it('tells of six digits once, and again after a change', async () => {
    const done = vi.fn()
    const person = userEvent.setup()
    renderWithProviders(<Holder onComplete={done} />)
    const field = screen.getByRole('textbox')
    await person.type(field, '12x3456')
    expect(field).toHaveValue('123456')
    expect(done).toHaveBeenCalledTimes(1)
    await person.type(field, '7')
    expect(done).toHaveBeenCalledTimes(1)
    await person.type(field, '{Backspace}9')
    expect(done).toHaveBeenLastCalledWith('123459')
  })
})
