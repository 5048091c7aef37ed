import { mount } from 'svelte';
import App from './App.svelte';
import { learnToSpeak } from './i18n';
import { keepSpeaking } from './i18n/spoken.svelte';
import { applySettings } from './settings.svelte';
import './styles/tokens.css';
import './styles/base.css';

applySettings();
// The first page is on its way while the words are.
if (location.pathname === '/') void import('./pages/Lobby.svelte').catch(() => undefined);
// Not awaited at the top: the words need what this file brings.
void learnToSpeak().then(() => {
  keepSpeaking();
  mount(App, { target: document.getElementById('app')! });
});
