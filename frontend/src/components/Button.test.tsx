import { act, screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { renderWithProviders } from '@/testing/render'
import { Button } from './Button'

describe('Button', () => {
  it('says why it is disabled', () => {
    renderWithProviders(
      <Button type="submit" disabledReason="Enter a name first.">
        Save
      </Button>,
    )
    const button = screen.getByRole('button', { name: 'Save' })
    expect(button).toBeDisabled()
    const wrapper = button.parentElement!
    expect(wrapper).toHaveAccessibleDescription('Enter a name first.')
    act(() => wrapper.focus())
    expect(screen.getByRole('tooltip', { hidden: true })).toHaveTextContent('Enter a name first.')
  })

  it('cannot be pressed while its work is under way', () => {
    renderWithProviders(
      <Button type="submit" pending>
        Save
      </Button>,
    )
    expect(screen.getByRole('button')).toBeDisabled()
    expect(screen.getByRole('progressbar')).toBeVisible()
  })
})
