import { render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, it } from 'vitest'
import ChatFrame from '../ChatFrame'

// Specification: 1.23
it('gives the chat its own storage, which ends with the session', async () => {
  render(<ChatFrame url="https://chat.example/widget" />)
  await userEvent.click(screen.getByRole('button'))
  expect(document.querySelector('iframe')).toHaveAttribute('credentialless')
})
