import { afterEach, expect, it, vi } from 'vitest'
import { recordTyping, replayEarlyInput, replayTyping } from './hydration-replay'

const note = (...inputs: object[]) => Object.assign(window, { tesseraEarly: inputs })

afterEach(() => {
  document.body.replaceChildren()
})

it('presses and chooses again, once', () => {
  document.body.innerHTML = '<button></button><select><option value="en"></option><option value="ar"></option></select>'
  const button = document.querySelector('button')!
  const select = document.querySelector('select')!
  const pressed = vi.fn()
  const chosen = vi.fn(() => select.value)
  button.addEventListener('click', pressed)
  document.body.addEventListener('change', chosen)
  note({ target: button }, { target: select, value: 'ar' })
  replayEarlyInput()
  expect(window).not.toHaveProperty('tesseraEarly')
  replayEarlyInput()
  expect(pressed).toHaveBeenCalledOnce()
  expect(chosen).toHaveReturnedWith('ar')
})

it('leaves alone what is gone, and does nothing where nothing was noted', () => {
  const gone = document.createElement('button')
  const pressed = vi.fn()
  gone.addEventListener('click', pressed)
  note({ target: gone })
  replayEarlyInput()
  replayEarlyInput()
  expect(pressed).not.toHaveBeenCalled()
})

it('types again what was typed before, and while the page was coming alive', () => {
  document.body.innerHTML = '<input id="before"><input id="meanwhile"><input id="untouched">'
  const field = (id: string) => document.querySelector<HTMLInputElement>(`#${id}`)!
  const ids = ['before', 'meanwhile', 'untouched']
  const heard: string[] = []
  field('before').value = 'ada@northwind.test'
  recordTyping()
  field('meanwhile').value = 'mosaic'
  field('meanwhile').dispatchEvent(new Event('input', { bubbles: true }))
  for (const id of ids) field(id).value = ''
  document.body.addEventListener('input', ({ target }) => heard.push((target as HTMLInputElement).value))
  for (const id of ids) replayTyping(field(id))
  expect(heard).toEqual(['ada@northwind.test', 'mosaic'])
  expect(field('before').value).toBe('ada@northwind.test')
})

it('does not record what is typed later', () => {
  document.body.innerHTML = '<input>'
  const field = document.querySelector('input')!
  recordTyping()
  replayTyping(field)
  field.value = 'a secret'
  field.dispatchEvent(new Event('input', { bubbles: true }))
  field.value = ''
  replayTyping(field)
  replayTyping(null)
  expect(field.value).toBe('')
})
