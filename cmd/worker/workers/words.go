package workers

import "github.com/rollcall-dev/rollcall/worker"

// say is what ImportProduct tells people whose language is not English.
var say = []worker.Option{
	worker.Messages("ru", map[string]string{
		"BRAND_UNKNOWN":      "Бренда «{brand}» нет",
		"BRAND_UNKNOWN.hint": "Известные бренды: {brands}",
		"PRICE_NOT_POSITIVE": "Цена должна быть больше нуля",
		"Price.hint":         "Укажите цену без налога, например 12.50",
	}),
	worker.Messages("zh", map[string]string{
		"BRAND_UNKNOWN":      "品牌“{brand}”不存在",
		"BRAND_UNKNOWN.hint": "已知品牌：{brands}",
		"PRICE_NOT_POSITIVE": "价格必须大于零",
		"Price.hint":         "请输入不含税价格，例如 12.50",
	}),
	worker.Messages("vi", map[string]string{
		"BRAND_UNKNOWN":      "Không có thương hiệu “{brand}”",
		"BRAND_UNKNOWN.hint": "Các thương hiệu: {brands}",
		"PRICE_NOT_POSITIVE": "Giá phải lớn hơn 0",
		"Price.hint":         "Nhập giá chưa gồm thuế, ví dụ 12.50",
	}),
}
