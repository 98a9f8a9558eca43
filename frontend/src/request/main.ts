import './request.css'
import { startPage } from './page'

startPage()
