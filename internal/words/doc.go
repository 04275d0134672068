// Package words tells what Rollcall says to people in their own language.
//
// A sentence has a key, the same in every language, and placeholders in braces.
// Every language has every key with the same placeholders; a test holds the
// catalogue to it. What cannot be told whole, because a placeholder has no
// value, is not told at all: the caller keeps the words it has.
//
// A placeholder is a name, {column}, or a choice by number,
// {n|one=row|few=…|other=rows}, whose forms are those of CLDR. It knows neither
// files nor rows; who they are for picks the language with a Picker.
package words
