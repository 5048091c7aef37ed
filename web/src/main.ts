import { mount } from 'svelte';
import App from './App.svelte';
import { applySettings } from './settings.svelte';
import './styles/tokens.css';
import './styles/base.css';

applySettings();
mount(App, { target: document.getElementById('app')! });
