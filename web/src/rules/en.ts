/** Words of the pictures on the page of rules. */

const en = {
  contents: 'On this page',
  cardCaption: 'A card. Its points are at the top left, the bonus it gives you for good is at the top right, and its price is below. The bottom line says what you would pay, or what you still need.',
  points: 'points',
  bonus: 'bonus',
  price: 'price',
  backsCaption: 'The three decks. The number says how many cards are left.',
  tokensCaption: 'The tokens, always in this order. Gold stands for any colour.',
  nobleCaption: 'A noble, with the bonuses it asks for and how many of them you have.',
  threeCaption: 'Three different colours',
  twoCaption: 'Two of one colour, if there are four',
  reserveCaption: 'Reserve, and get a gold',
  buyCaption: 'Buy: the price minus your bonuses',
  tenCaption: 'Eleven tokens: one goes back.',
};

export default en;
